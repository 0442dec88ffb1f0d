import ArgumentParser
import Foundation
import TesseraCodecs
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraRendering
import TesseraRequest
import TesseraSystem

/// `tessera page`.
struct PageCommand: ParsableCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Makes a page that plays a rendered call and shows who was present and spoke.",
    usage: """
      tessera page REPORT.json|OUTPUT... -o call.html [options]
      tessera page CALL.html... -o index.html
      """,
    discussion: """
      The report is the file that `tessera render --report` writes; for call.mp4, call.json or \
      call.mp4.json beside it is used. The page is one file that needs no server and no network. It \
      refers to the video by a relative address, so both can be moved together. For several outputs \
      of a call it plays the first one with pictures and links to the others.

      Given pages of calls, the command writes a list that links to them, with a search by title and name.
      """)

  @Argument(
    help: ArgumentHelp(
      "Reports of renders of one call, or outputs with a report beside them; or pages of calls.",
      valueName: "report.json"),
    completion: .file())
  var reports: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Page to write.", valueName: "call.html"),
    completion: .file(extensions: ["html"]))
  var output: String

  @Option(
    name: .customLong("title"),
    help: "Heading of the page (default: the call's title, otherwise the output's name).")
  var heading: String?

  @Flag("overwrite")
  var overwrite = false

  @OptionGroup(title: "Page")
  var page: PageOptions

  var parsed: RenderRequest?

  mutating func validate() throws {
    try parse()
    guard SidecarRequest.isPage(output) else {
      throw ValidationError(
        "-o writes a page; give it a name that ends in .html, such as call.html.")
    }
  }

  func run() throws {
    InterruptHandler.install()
    if reports.allSatisfy({ SidecarRequest.isPage($0) }) {
      try IndexPageWriter.write(reports, title: heading, to: output, overwriting: overwrite)
      return StandardOutput.print(output)
    }
    let reports = try self.reports.map(RenderReportFinder.path)
    var all = try reports.map(RenderReportFinder.read)
    var played = all.remove(at: all.firstIndex { $0.call?.frameRate != nil } ?? 0)
    if let heading { played.call?.title = heading }
    let protected = reports + (all + [played]).map(\.output)
    try OutputFile.require(output, protecting: protected, overwriting: overwrite)
    try request(of: []).sidecars.writePage(
      played, and: all, to: output, protecting: protected, overwriting: overwrite,
      .command(ProgressPrinter(.none)))
    StandardOutput.print(output)
  }
}

/// Finds and reads reports of renders.
enum RenderReportFinder {
  /// Returns the path of a report. `name` is the report itself, or an output with its report beside
  /// it.
  ///
  /// - Throws: ``RenderError`` if there is no report beside the output.
  static func path(_ name: String) throws(RenderError) -> String {
    guard OutputContainer(path: name) != nil else { return name }
    let url = URL(fileURLWithPath: name)
    let candidates = [url.deletingPathExtension().path + ".json", url.path + ".json"]
    for candidate in candidates where FileOperations.exists(candidate) {
      guard let report = try? read(candidate) else { continue }
      if URL(fileURLWithPath: report.output).lastPathComponent == url.lastPathComponent {
        return candidate
      }
    }
    throw RenderError(
      .failure,
      "\(file: name) has no report beside it; render it with \(option: "report") \(file: candidates[0]), or give the "
        + "report.")
  }

  /// Reads the report in the file at `path`.
  ///
  /// - Throws: ``RenderError`` if the file cannot be read or is not a report.
  static func read(_ path: String) throws(RenderError) -> RenderReport {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw RenderError(.failure, "\(file: path) cannot be read; give the report of a render.")
    }
    guard let report = try? JSONDecoder().decode(RenderReport.self, from: data) else {
      throw RenderError(
        .failure,
        "\(file: path) is not the report of a render; give the file that tessera render --report wrote."
      )
    }
    return report
  }
}
