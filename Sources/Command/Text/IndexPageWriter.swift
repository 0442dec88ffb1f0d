import Foundation
import TesseraJobs
import TesseraMessages
import TesseraPage
import TesseraSystem

/// Writes the page that lists calls.
enum IndexPageWriter {
  /// Writes the list of the calls whose pages are at `pages` to `path`; `title` is its heading
  /// (default: Calls).
  ///
  /// - Throws: ``RenderError`` if a page cannot be read or is not the page of a call, or if the
  ///   file at `path` may not be replaced.
  static func write(
    _ pages: [String], title: String? = nil, to path: String, overwriting: Bool
  ) throws(RenderError) {
    try OutputFile.require(path, protecting: pages, overwriting: overwriting)
    var calls: [IndexPage.Call] = []
    for page in pages {
      guard let data = FileManager.default.contents(atPath: page) else {
        throw RenderError(.failure, "\(file: page) cannot be read; give pages of calls.")
      }
      do throws(PageError) {
        calls.append(
          try IndexPage.Call(page: page, String(decoding: data, as: UTF8.self), index: path))
      } catch {
        throw RenderError(.failure, error.sentence)
      }
    }
    let file = try OutputFile(path, protecting: pages, overwriting: overwriting)
    try file.write(Data(IndexPage(title: title ?? "Calls", calls).html().utf8))
  }
}
