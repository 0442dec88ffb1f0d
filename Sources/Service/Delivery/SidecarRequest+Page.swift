import Foundation
import TesseraJobs
import TesseraMessages
import TesseraPage
import TesseraPlanning
package import TesseraRendering
package import TesseraRequest
import TesseraStorage
package import TesseraSystem
import TesseraTimeline

extension SidecarRequest {
  /// Checks that the page at `page` can link to the video `output`. Both must be in one bucket or
  /// on this machine, unless the request gives the video's address.
  ///
  /// - Throws: a usage error otherwise.
  func requirePlayable(
    _ output: String, by page: String, _ context: RequestContext
  ) throws(RenderError) {
    let (own, other) = (PageLocation(page, context.names), PageLocation(output, context.names))
    guard pageVideo == nil, own.root != other.root else { return }
    throw RenderError(
      .usage,
      "the page \(file: page) cannot play \(file: output), which is stored elsewhere: put both into one bucket or on "
        + "this machine, or give the video's address with \(option: "page-video").")
  }

  /// Writes the HTML page of a rendered call, and its thumbnails.
  ///
  /// - Parameters:
  ///   - report: the report on the output that the page plays.
  ///   - others: the reports on further outputs of the call, which the page links to. Outputs in
  ///     another bucket are skipped with a note.
  ///   - path: the path of the page.
  ///   - protected: paths that the page must not replace.
  ///   - overwriting: true to replace files that Tessera did not make.
  ///   - context: the environment in which the request runs.
  /// - Throws: ``RenderError`` if the page cannot be written.
  package func writePage(
    _ report: RenderReport, and others: [RenderReport] = [], to path: String,
    protecting protected: [String], overwriting: Bool, _ context: RequestContext
  ) throws(RenderError) {
    do {
      let hasPictures = report.call?.frameRate != nil
      let place = PageLocation(path, context.names)
      let media =
        if let pageVideo {
          try CallPage.Media(pageVideo, hasPictures: hasPictures)
        } else {
          try CallPage.Media(
            output: PageLocation(report.output, context.names).path, page: place.path,
            hasPictures: hasPictures)
        }
      var page = CallPage(report, media: media)
      page.audience = pageAudience ?? .viewers
      page.pictures = try pictures(report, path, protected + [path], overwriting, context)
      for var other in others {
        let own = PageLocation(other.output, context.names)
        guard own.root == place.root else {
          context.note(
            "the page does not link to \(file: other.output), which is stored elsewhere.")
          continue
        }
        other.output = own.path
        page.others.append(try CallPage.OtherOutput(other, page: place.path))
      }
      let text = try page.html()
      try OutputFile(path, protecting: protected, overwriting: overwriting).write(Data(text.utf8))
    } catch let error as RenderError {
      throw error
    } catch let error as PageError {
      throw RenderError(.failure, error.sentence)
    } catch {
      throw RenderError(.failure, "\(error)")
    }
  }

  /// Writes the thumbnails of the output beside the page at `path`.
  ///
  /// A failure is only a note, because the page is usable without thumbnails.
  ///
  /// - Returns: the thumbnails; `nil` if they are disabled or could not be made.
  /// - Throws: ``RenderError`` only if the request is canceled.
  private func pictures(
    _ report: RenderReport, _ path: String, _ protected: [String], _ isOverwriting: Bool,
    _ context: RequestContext
  ) throws(RenderError) -> CallPage.PreviewThumbnails? {
    guard pageThumbnails != false, FileOperations.exists(report.output) else { return nil }
    let file = Self.thumbnails(ofPage: path)
    do throws(RenderError) {
      try OutputFile.require(file, protecting: protected, overwriting: isOverwriting)
      let made = try ThumbnailImage.write(
        of: report, to: file, protecting: protected, overwriting: isOverwriting,
        readers: context.readers(), cancellation: context.cancellation
      ) { path, size throws(RenderError) in
        try Planner.pictures(
          of: path, size: size, at: .thirty, readers: context.readers(),
          cancellation: context.cancellation)
      }
      if made != nil { context.report(.created(file)) }
      return made.map { CallPage.PreviewThumbnails($0, file: file, page: path) }
    } catch {
      guard error.kind != .cancelled else { throw error }
      context.note("the page has no thumbnails: \(error)")
      return nil
    }
  }

  /// Returns the path of the thumbnails of the page at `path`: `call.html` has
  /// `call-thumbnails.jpg`.
  static func thumbnails(ofPage path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().path + "-thumbnails.jpg"
  }
}

/// The published location of a page or of a file that a page links to.
private struct PageLocation {
  /// The name of the bucket; empty for files of this machine.
  let root: String
  /// The path on this machine, or `/` and the key in the bucket.
  let path: String

  /// Creates the published location of the file that is at `path` on this machine until the
  /// upload.
  init(_ path: String, _ names: FileDisplayNames) {
    guard let name = names.address(of: path), let location = try? Location(name),
      case .object(let bucket, let key) = location
    else {
      (root, self.path) = ("", path)
      return
    }
    (root, self.path) = (bucket, "/\(key)")
  }
}
