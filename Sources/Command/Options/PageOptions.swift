import ArgumentParser
import Foundation
import TesseraJobs
import TesseraPage
import TesseraPlan
import TesseraPlanning
import TesseraRendering

/// What concerns a page beside an output.
struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the page finds the video: a path relative to it, or an http or https address.",
      valueName: "address"))
  var pageVideo: String?

  static func requireEnding(_ path: String, of option: String) throws {
    guard [".html", ".htm"].contains(where: path.lowercased().hasSuffix) else {
      throw ValidationError(
        "\(option) makes a page; give it a name that ends in .html, such as call.html.")
    }
  }

  /// Writes the page of what `report` tells of to `path`; no file of `protected` is replaced.
  func write(_ report: RenderReport, to path: String, protecting protected: [String]) throws {
    do {
      let hasPictures = report.call?.frameRate != nil
      let media =
        if let pageVideo {
          try CallPage.Media(pageVideo, hasPictures: hasPictures)
        } else {
          try CallPage.Media(output: report.output, page: path, hasPictures: hasPictures)
        }
      let text = try CallPage(report, media: media).html()
      var file = try OutputFile(path, protecting: protected)
      try file.write(Data(text.utf8))
    } catch let error as PageError {
      throw RenderError(.failure, "\(error)")
    }
  }
}
