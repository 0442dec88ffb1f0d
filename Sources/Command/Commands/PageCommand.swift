import ArgumentParser
import Foundation
import TesseraJobs
import TesseraPage
import TesseraPlan
import TesseraPlanning
import TesseraRendering

/// `tessera page`.
struct PageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Makes a page that plays a rendered call and shows who was there and spoke.",
    usage: "tessera page REPORT.json... -o call.html [options]",
    discussion: """
      The report is what `tessera render --report` writes. The page is one file that needs no server \
      and no network; it refers to the video by a relative address, so both can be moved together. Of \
      several outputs of a call it plays the first that has pictures and leads to the others.
      """)

  @Argument(
    help: ArgumentHelp("The reports of renders of one call.", valueName: "report.json"),
    completion: .file())
  var reports: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page to make.", valueName: "call.html"),
    completion: .file(extensions: ["html"]))
  var output: String

  @OptionGroup(title: "Page")
  var page: PageOptions

  func validate() throws { try PageOptions.requireEnding(output, of: "-o") }

  func run() throws {
    Interrupts.install()
    var all = try reports.map(ReportFile.read)
    let played = all.remove(at: all.firstIndex { $0.call?.frameRate != nil } ?? 0)
    try page.write(
      played, and: all, to: output,
      protecting: reports + (all + [played]).map(\.output))
    StandardOutput.say(output)
  }
}

/// Reports that a render wrote.
enum ReportFile {
  /// The report in the file at `path`.
  ///
  /// - Throws: ``RenderError`` where it cannot be read or is none.
  static func read(_ path: String) throws(RenderError) -> RenderReport {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw RenderError(.failure, "\(path) cannot be read; give the report of a render.")
    }
    guard let report = try? JSONDecoder().decode(RenderReport.self, from: data) else {
      throw RenderError(
        .failure,
        "\(path) is not the report of a render; give the file that tessera render --report wrote.")
    }
    return report
  }
}
