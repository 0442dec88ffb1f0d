import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraPlanning
import TesseraRendering
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

extension OutputRequest {
  /// The folder of the destination, with a trailing slash; empty for the current folder.
  package var folder: String {
    destination.folderPath
  }

  /// Checks before rendering that the output can be written. Creates the folder of a destination
  /// that is a name template, as for clips: the names in it are only known after planning.
  ///
  /// - Parameters:
  ///   - files: paths that the output must not replace.
  ///   - isOverwriting: true to replace existing files that Tessera did not make.
  /// - Throws: ``RenderError`` if the destination is unusable.
  package func require(protecting files: [String], overwriting isOverwriting: Bool)
    throws(RenderError)
  {
    if isTemplate, !folder.isEmpty {
      try RenderError.wrapping { () throws(SystemError) in try FileOperations.makeFolder(folder) }
    }
    let (content, mark): (OutputFolderKind?, OutputMark?) =
      switch kind {
      case .file: (nil, .tags)
      case .stream: (.stream, nil)
      case .thumbnails: (ThumbnailFolder.content, nil)
      case .poster: (nil, .record)
      }
    try OutputFile.require(
      destination, content, protecting: files, overwriting: isOverwriting, mark: mark)
  }

  /// Writes the thumbnails or the poster of `plan`; does nothing for a file or a stream.
  ///
  /// Thumbnails are read from the rendered video `file`. If the video is a stream or was not
  /// rendered, `file` is `nil` and the thumbnails are composed from `plan`.
  ///
  /// - Throws: ``RenderError`` if the pictures cannot be written.
  fileprivate func write(
    of plan: Plan, in file: String?, protecting files: [String], overwriting: Bool,
    _ context: RequestContext
  ) throws(RenderError) {
    let (readers, cancellation) = (context.readers(), context.cancellation)
    switch kind {
    case .file, .stream: break
    case .thumbnails(let every):
      let folder =
        if let file {
          ThumbnailFolder(
            of: try Planner.pictures(
              of: file, size: ThumbnailFolder.pictureSize(of: plan.output.video.size),
              at: plan.output.video.frameRate, readers: readers, cancellation: cancellation),
            every: every)
        } else {
          ThumbnailFolder(of: plan, every: every)
        }
      try folder.write(
        to: destination, protecting: plan.files + files, overwriting: overwriting, readers: readers,
        cancellation: cancellation)
    case .poster(let time):
      var stills = StillRenderer(plan, readers: readers, cancellation: cancellation)
      (stills.protected, stills.isOverwriting) = (files, overwriting)
      _ = try stills.writePoster(at: time, to: destination)
    }
  }
}

/// The results of the still pictures of a render: thumbnails and posters.
struct StillResults {
  /// The destinations of the stills that were written.
  private(set) var made: [String] = []
  /// The errors of the stills that could not be written, one each.
  private(set) var failures: [RenderError] = []
  /// The cancellation error that skipped the remaining stills; `nil` if nothing was canceled.
  private(set) var stop: RenderError?

  /// Checks before rendering that one of `targets` has pictures for `stills`.
  ///
  /// - Throws: a usage error if all outputs are sound only.
  static func require(
    _ stills: [OutputRequest], of targets: [RenderTarget]
  ) throws(RenderError) {
    guard let still = stills.first, !targets.contains(where: \.hasPictures) else { return }
    throw RenderError(
      .usage, "\(file: still.destination): no output has pictures; make a video, too.")
  }

  /// Writes `stills` from the first of `outputs` that has pictures. Stops at a cancellation.
  ///
  /// `report` decides whether that output was rendered and its file can be read. Other failures are
  /// collected in ``failures`` and do not stop the remaining stills.
  mutating func make(
    _ stills: [OutputRequest], of outputs: Zip2Sequence<[Plan], [RenderTarget]>,
    _ report: RenderReport, protecting files: [String], overwriting: Bool,
    _ context: RequestContext
  ) {
    guard let (plan, target) = outputs.first(where: { $0.1.hasPictures }) else { return }
    let isMade = report.allReports.contains { $0.error == nil && $0.output == target.path }
    for still in stills {
      do throws(RenderError) {
        try still.write(
          of: plan, in: target.rung == nil && isMade ? target.path : nil, protecting: files,
          overwriting: overwriting, context)
        made.append(still.destination)
      } catch {
        guard error.kind != .cancelled else { return stop = error }
        failures.append(error)
      }
    }
  }
}

extension RenderTarget {
  /// True if the target has pictures: a rendition of a stream, or a container with video.
  fileprivate var hasPictures: Bool {
    rung != nil || OutputContainer(path: path)?.hasPictures == true
  }
}
