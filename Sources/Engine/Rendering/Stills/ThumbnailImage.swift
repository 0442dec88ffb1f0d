import Foundation
package import TesseraJobs
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

/// Thumbnails of a finished output in a single image, for the web page beside it.
package struct ThumbnailImage: Hashable, Sendable {
  /// The time between two thumbnails.
  package var interval: MediaTime
  /// Number of pictures in the image.
  package var count: Int
  package var grid: ContactSheetGrid

  /// Seconds between keyframes of outputs. Pictures at keyframes are decoded without their
  /// neighbors.
  private static let keyframes = 5
  private static let (mostPictures, longestSide) = (240, 160.0)

  /// Writes thumbnails of the output that `report` describes as a JPEG file at `path`.
  ///
  /// - Parameters:
  ///   - report: the report on the finished output.
  ///   - path: the file to write.
  ///   - files: inputs and other outputs, which are never replaced.
  ///   - overwriting: true to replace files that Tessera did not make, or that were changed since.
  ///   - readers: the program whose processes decode the output; nil decodes on threads of this
  ///     process.
  ///   - cancellation: stops the work.
  ///   - plan: returns a plan that shows the file at a path in a size.
  /// - Returns: the image's grid and times; nil if the output has no pictures.
  /// - Throws: ``RenderError`` if the output cannot be read or the file cannot be written.
  package static func write(
    of report: RenderReport, to path: String, protecting files: [String], overwriting: Bool,
    readers: WorkerProgram?, cancellation: Cancellation,
    plan: (String, PixelSize) throws(RenderError) -> Plan
  ) throws(RenderError) -> ThumbnailImage? {
    guard let call = report.call, let width = call.width, let height = call.height else {
      return nil
    }
    let plan = try plan(
      report.output,
      pictureSize(of: PixelSize(width: width, height: height), longestSide: longestSide))
    let parts = Int(saturating: report.duration) / keyframes / mostPictures + 1
    let interval = MediaTime(seconds: keyframes * parts)
    var stills = StillRenderer(plan, readers: readers, cancellation: cancellation)
    (stills.protected, stills.isOverwriting) = (files, overwriting)
    let sheet = try stills.writeThumbnails(every: interval, longestSide: longestSide, to: path)
    return ThumbnailImage(interval: interval, count: sheet.count, grid: sheet.grid)
  }

  /// Returns the size of thumbnails for pictures of `size`: at most `longestSide` pixels on the
  /// longer side, and at least 16 on each.
  static func pictureSize(of size: PixelSize, longestSide: Double) -> PixelSize {
    let cell = ContactSheetGrid(of: size, count: 1, longestSide: longestSide, gap: 0).cell
    return PixelSize(width: max(16, cell.width), height: max(16, cell.height))
  }
}
