import Foundation
package import TesseraJobs
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

/// Thumbnails of a finished output for a player's seek bar: contact sheets, and a WebVTT file that
/// maps times to pictures.
///
///     thumbnails.vtt        a cue for each picture: `sheet-001.jpg#xywh=320,0,320,180`
///     sheet-001.jpg …
package struct ThumbnailFolder: Sendable {
  private let plan: Plan
  /// The time between two thumbnails.
  package var interval: MediaTime

  /// The entry file and the file extensions of a thumbnail folder.
  package static let content = OutputFolderKind(
    entry: "thumbnails.vtt", endings: [".jpg", ".vtt"])

  /// Sheets of 1,280 × 1,260 pixels for 16:9 video: little memory for a phone, and few requests.
  private static let (picturesOnSheet, longestSide) = (25, 320.0)

  /// Returns the size at which pictures of `size` are decoded for thumbnails.
  package static func pictureSize(of size: PixelSize) -> PixelSize {
    ThumbnailImage.pictureSize(of: size, longestSide: longestSide)
  }

  /// Prepares thumbnails of the output of `plan`, every `interval`. The plan may show the call, or
  /// a finished output file.
  package init(of plan: Plan, every interval: MediaTime) {
    (self.plan, self.interval) = (plan, interval)
  }

  /// Writes the folder at `path`, which appears when it is complete. Processes of `readers` decode
  /// the pictures, or threads of this process if it is nil. A folder that was changed since Tessera
  /// made it is replaced only if `overwriting` is true.
  ///
  /// - Throws: ``RenderError`` if the video cannot be read or the folder cannot be written.
  package func write(
    to path: String, protecting files: [String], overwriting: Bool = false, readers: WorkerProgram?,
    cancellation: Cancellation
  ) throws(RenderError) {
    let folder = try OutputFile(
      path, Self.content, protecting: files, overwriting: overwriting)
    folder.removeRemains()
    let sheets = try StillRenderer(plan, readers: readers, cancellation: cancellation).sheets(
      every: interval, longestSide: Self.longestSide, count: Self.picturesOnSheet)
    let temporary = try folder.temporaryPath()
    for (number, sheet) in sheets.enumerated() {
      try OutputFile(inOwnFolder: "\(temporary)/\(Self.name(number))").write(Data(sheet.bytes))
    }
    try OutputFile(inOwnFolder: "\(temporary)/\(Self.content.entry)").write(
      Data(Self.index(sheets, until: plan.duration).utf8))
    try folder.commit()
  }

  private static func name(_ sheet: Int) -> String {
    "sheet-" + String(repeating: "0", count: max(0, 3 - "\(sheet + 1)".count)) + "\(sheet + 1).jpg"
  }

  /// Returns the WebVTT file that maps times to pictures.
  private static func index(_ sheets: [StillRenderer.ThumbnailSheet], until end: MediaTime)
    -> String
  {
    let cues = sheets.enumerated().flatMap { number, sheet in
      sheet.times.enumerated().map { index, time in
        let next =
          index + 1 < sheet.times.count
          ? sheet.times[index + 1]
          : number + 1 < sheets.count ? sheets[number + 1].times.first ?? end : end
        let (x, y) = sheet.grid.place(of: index)
        let cell = sheet.grid.cell
        return "\(time.cueStamp) --> \(next.cueStamp)\n"
          + "\(name(number))#xywh=\(x),\(y),\(cell.width),\(cell.height)\n"
      }
    }
    return (["WEBVTT\n", "NOTE Made by \(TesseraVersion.name)\n"] + cues).joined(separator: "\n")
  }
}
