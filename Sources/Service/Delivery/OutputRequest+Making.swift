import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

extension OutputRequest {
  /// The folder that it lies in, with a slash at its end; empty for the current one.
  package var folder: String {
    destination.folderPath
  }

  /// Makes sure early that it can be made; what Tessera did not make is replaced only when it
  /// `isOverwriting`.
  package func require(protecting files: [String], overwriting isOverwriting: Bool)
    throws(RenderError)
  {
    try makeFolderOfClips()
    switch kind {
    case .file:
      try OutputFile.require(
        destination, protecting: files, overwriting: isOverwriting, mark: .tags)
    case .stream:
      try OutputFolder.require(destination, .stream, protecting: files, overwriting: isOverwriting)
    case .thumbnails:
      try OutputFolder.require(
        destination, ThumbnailFolder.content, protecting: files, overwriting: isOverwriting)
    case .poster:
      try OutputFile.require(
        destination, protecting: files, overwriting: isOverwriting, mark: .record)
    }
  }

  /// Makes the folder that clips lie in: their names are not known yet.
  func makeFolderOfClips() throws(RenderError) {
    guard isTemplate, !folder.isEmpty else { return }
    do throws(SystemError) {
      try FileSystem.makeFolder(folder)
    } catch {
      throw RenderError(error)
    }
  }

  /// Makes still pictures of `plan`, which has become the video `file`; nil where that is not a
  /// single file.
  ///
  /// - Throws: where they cannot be made.
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
      var stills = Stills(plan, readers: readers, cancellation: cancellation)
      (stills.protected, stills.isOverwriting) = (files, overwriting)
      _ = try stills.writePoster(at: time, to: destination)
    }
  }
}

/// The still pictures of a render, and what became of them.
struct StillOutputs {
  /// Those that are there.
  private(set) var made: [String] = []
  /// Why others are not.
  private(set) var failures: [RenderError] = []
  /// Why the rest was not begun; nil where nobody asked to stop.
  private(set) var stop: RenderError?

  /// Makes sure early that there is something to make `stills` of.
  static func require(
    _ stills: [OutputRequest], of targets: [RenderTarget]
  ) throws(RenderError) {
    guard let still = stills.first, !targets.contains(where: \.hasPictures) else { return }
    throw RenderError(.usage, "\(still.destination): no output has pictures; make a video, too.")
  }

  /// Makes `stills` of the first of `outputs` that has pictures, as `report` says it became, until
  /// somebody asks to stop.
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
  /// Whether it holds more than sound.
  fileprivate var hasPictures: Bool {
    rung != nil || OutputContainer(path: path)?.hasPictures == true
  }
}
