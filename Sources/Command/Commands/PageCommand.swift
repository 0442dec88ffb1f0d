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
    usage: "tessera page REPORT.json -o call.html [options]",
    discussion: """
      The report is what `tessera render --report` writes. The page is one file that needs no server \
      and no network; it refers to the video by a relative address, so both can be moved together.
      """)

  @Argument(
    help: ArgumentHelp("The report of a render.", valueName: "report.json"), completion: .file())
  var report: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page to make.", valueName: "call.html"),
    completion: .file(extensions: ["html"]))
  var output: String

  @OptionGroup(title: "Page")
  var page: PageOptions

  func validate() throws { try PageOptions.requireEnding(output, of: "-o") }

  func run() throws {
    let data = try ReportFile.read(report)
    try page.write(data, to: output, protecting: [report, data.output])
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
