import Foundation
import TesseraJobs
import TesseraPage
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraStorage
import TesseraSystem

extension RequestSidecars {
  /// Makes sure that the page at `page` can name the output that it plays.
  func requirePlayable(_ output: String, by page: String) throws(RenderError) {
    let (own, other) = (PagePlace(page), PagePlace(output))
    guard pageVideo == nil, own.root != other.root else { return }
    throw RenderError(
      .usage,
      "the page \(page) cannot play \(output), which lies elsewhere: put both into one bucket or on "
        + "this machine, or give the video's address with --page-video.")
  }

  /// Writes the page for `report` to `path`; no file of `protected` is replaced, and what Tessera
  /// did not make only when it is `overwriting`. `others` are the reports of other outputs of the
  /// same call.
  func writePage(
    _ report: RenderReport, and others: [RenderReport] = [], to path: String,
    protecting protected: [String], overwriting: Bool
  ) throws {
    do {
      let hasPictures = report.call?.frameRate != nil
      let place = PagePlace(path)
      let media =
        if let pageVideo {
          try CallPage.Media(pageVideo, hasPictures: hasPictures)
        } else {
          try CallPage.Media(
            output: PagePlace(report.output).path, page: place.path, hasPictures: hasPictures)
        }
      var page = CallPage(report, media: media)
      page.pictures = try pictures(report, path, protected + [path], overwriting)
      for var other in others {
        let own = PagePlace(other.output)
        guard own.root == place.root else {
          Terminal.say("note: the page does not lead to \(other.output), which lies elsewhere.")
          continue
        }
        other.output = own.path
        page.others.append(try CallPage.Other(other, page: place.path))
      }
      let text = try page.html()
      var file = try OutputFile(path, protecting: protected, overwriting: overwriting)
      try file.write(Data(text.utf8))
    } catch let error as PageError {
      throw RenderError(.failure, "\(error)")
    }
  }

  /// The thumbnails of the output beside the page at `path`, which are made; nil where there are
  /// none. A page without them is a page, too.
  ///
  /// - Throws: once somebody asked to stop.
  private func pictures(
    _ report: RenderReport, _ path: String, _ protected: [String], _ isOverwriting: Bool
  ) throws(RenderError) -> CallPage.Pictures? {
    guard pageThumbnails != false, FileSystem.exists(report.output) else { return nil }
    let file = Self.thumbnails(ofPage: path)
    do throws(RenderError) {
      try OutputFile.require(file, protecting: protected, overwriting: isOverwriting)
      let made = try Thumbnails.write(
        of: report, to: file, protecting: protected, overwriting: isOverwriting,
        readers: EngineOptions.readers(), cancellation: Interrupts.cancellation)
      if made != nil { RemoteNames.tell(made: file) }
      return made.map { CallPage.Pictures($0, file: file, page: path) }
    } catch {
      guard error.kind != .cancelled else { throw error }
      Terminal.say("note: the page has no thumbnails: \(error.message)")
      return nil
    }
  }

  /// The file with small pictures beside the page at `path`.
  static func thumbnails(ofPage path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().path + "-thumbnails.jpg"
  }
}

/// Where a page, or what it leads to, lies for whoever opens it.
private struct PagePlace {
  /// The bucket; empty for files of this machine.
  let root: String
  /// The path there.
  let path: String

  /// The place of what is at `path` on this machine now.
  init(_ path: String) {
    guard let name = RemoteNames.name(of: path), let location = try? Location(name),
      case .object(let bucket, let key) = location
    else {
      (root, self.path) = ("", path)
      return
    }
    (root, self.path) = (bucket, "/\(key)")
  }
}

/// A page that lists calls.
enum PageList {
  /// Writes the list of the calls whose pages are at `pages` to `path`.
  ///
  /// - Throws: ``RenderError`` where one cannot be read or is not the page of a call, or what is at
  ///   `path` may not be replaced.
  static func write(_ pages: [String], to path: String, overwriting: Bool) throws(RenderError) {
    try OutputFile.require(path, protecting: pages, overwriting: overwriting)
    var calls: [IndexPage.Call] = []
    for page in pages {
      guard let data = FileManager.default.contents(atPath: page) else {
        throw RenderError(.failure, "\(page) cannot be read; give pages of calls.")
      }
      do throws(PageError) {
        calls.append(
          try IndexPage.Call(page: page, String(decoding: data, as: UTF8.self), index: path))
      } catch {
        throw RenderError(.failure, "\(error)")
      }
    }
    var file = try OutputFile(path, protecting: pages, overwriting: overwriting)
    try file.write(Data(IndexPage(calls).html().utf8))
  }
}
