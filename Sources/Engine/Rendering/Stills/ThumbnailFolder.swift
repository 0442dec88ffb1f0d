import Foundation
package import TesseraJobs
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

/// Small pictures of a finished output for a player's seek bar: sheets of them, and a WebVTT file
/// that says when which of them is shown.
///
///     thumbnails.vtt        a cue for each picture: `sheet-001.jpg#xywh=320,0,320,180`
///     sheet-001.jpg …
package struct ThumbnailFolder: Sendable {
  private let plan: Plan
  /// The time from one picture to the next.
  package var interval: MediaTime

  /// What such a folder holds.
  package static let content = OutputFolder.Content(
    entry: "thumbnails.vtt", endings: [".jpg", ".vtt"])

  /// Sheets of 1,280 by 1,260 pixels for a video of 16:9: little memory for a phone, and few
  /// requests.
  private static let (picturesOnSheet, longestSide) = (25, 320.0)

  /// The size that pictures of `size` are decoded at for it.
  package static func pictureSize(of size: PixelSize) -> PixelSize {
    Thumbnails.pictureSize(of: size, longestSide: longestSide)
  }

  /// Pictures of what becomes of `plan`, every `interval`: of a finished file's own pictures, or of the
  /// call once more.
  package init(of plan: Plan, every interval: MediaTime) {
    (self.plan, self.interval) = (plan, interval)
  }

  /// Writes the folder at `path`, which appears when it is whole. `readers` decode what is shown;
  /// nil is threads of this process. A folder that somebody has changed is replaced only when it is
  /// `overwriting`.
  ///
  /// - Throws: where the video cannot be read, or the folder not be written.
  package func write(
    to path: String, protecting files: [String], overwriting: Bool = false, readers: WorkerProgram?,
    cancellation: Cancellation
  ) throws(RenderError) {
    var folder = try OutputFolder(
      path, Self.content, protecting: files, overwriting: overwriting)
    folder.removeRemains()
    let sheets = try Stills(plan, readers: readers, cancellation: cancellation).sheets(
      every: interval, longestSide: Self.longestSide, count: Self.picturesOnSheet)
    let temporary = try folder.temporaryPath()
    for (number, sheet) in sheets.enumerated() {
      var file = try OutputFile(inOwnFolder: "\(temporary)/\(Self.name(number))")
      try file.write(Data(sheet.bytes))
    }
    var index = try OutputFile(inOwnFolder: "\(temporary)/\(Self.content.entry)")
    try index.write(Data(Self.index(sheets, until: plan.duration).utf8))
    try folder.commit()
  }

  private static func name(_ sheet: Int) -> String {
    "sheet-" + String(repeating: "0", count: max(0, 3 - "\(sheet + 1)".count)) + "\(sheet + 1).jpg"
  }

  /// When which picture is shown.
  private static func index(_ sheets: [Stills.Sheet], until end: MediaTime) -> String {
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
