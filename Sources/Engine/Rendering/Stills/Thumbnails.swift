import Foundation
import TesseraCodecs
package import TesseraJobs
import TesseraLayout
import TesseraLettering
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

/// Small pictures of a finished output in one file, for the page beside it.
package struct Thumbnails: Hashable, Sendable {
  /// The time from one to the next.
  package var interval: MediaTime
  /// How many there are.
  package var count: Int
  /// Where they lie.
  package var grid: SheetGrid

  /// Outputs have a keyframe that often: what is shown there is decoded alone.
  private static let keyframes = 5
  private static let (mostPictures, longestSide) = (240, 160.0)

  /// Writes the thumbnails of the output that `report` describes as a JPEG file at `path`; nil where
  /// it has no pictures. `readers` decode what `plan` makes of its path and a size; nil is threads of
  /// this process. None of `files` is replaced, and what Tessera did not make only when it is
  /// `overwriting`.
  ///
  /// - Throws: where the output cannot be read, or the file not be written.
  package static func write(
    of report: RenderReport, to path: String, protecting files: [String], overwriting: Bool,
    readers: WorkerProgram?, cancellation: Cancellation,
    plan: (String, PixelSize) throws(RenderError) -> Plan
  ) throws(RenderError) -> Thumbnails? {
    guard let call = report.call, let width = call.width, let height = call.height else {
      return nil
    }
    let plan = try plan(
      report.output,
      pictureSize(of: PixelSize(width: width, height: height), longestSide: longestSide))
    let parts = Int(saturating: report.duration) / keyframes / mostPictures + 1
    let interval = MediaTime(seconds: keyframes * parts)
    var stills = Stills(plan, readers: readers, cancellation: cancellation)
    (stills.protected, stills.isOverwriting) = (files, overwriting)
    let sheet = try stills.writeThumbnails(every: interval, longestSide: longestSide, to: path)
    return Thumbnails(interval: interval, count: sheet.count, grid: sheet.grid)
  }

  /// The size of small pictures of those of `size`: the longer side has `longestSide` pixels at most.
  static func pictureSize(of size: PixelSize, longestSide: Double) -> PixelSize {
    let cell = SheetGrid(of: size, count: 1, longestSide: longestSide, gap: 0).cell
    return PixelSize(width: max(16, cell.width), height: max(16, cell.height))
  }
}
