import Foundation
import PlanningSupport
import TesseraRendering
import TesseraTimeline
import TestSupport
import Testing

/// Small pictures side by side in one image.
@Suite(.timed) struct ContactSheetTests {
  @Test("Each picture shows its time in its corner, and differs in nothing else")
  func times() throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("a.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "color=gray:s=320x180:r=30:d=2", "-c:v", "libx264", "-qp", "0", clip,
    ])
    let plan = try SceneRecordings.request([clip], width: 320, height: 180).plan()
    let sheet = folder.path("sheet.png")
    _ = try StillRenderer(plan).writeSheet(every: MediaTime(nanoseconds: 500_000_000), to: sheet)
    let gray = try Tool.ffmpeg(["-i", sheet, "-pix_fmt", "gray", "-f", "rawvideo", "-"])
    // Four pictures in two columns, four pixels apart.
    func pixel(_ number: Int, _ x: Int, _ y: Int) -> UInt8 {
      gray[(4 + number / 2 * 184 + y) * 652 + 4 + number % 2 * 324 + x]
    }
    #expect(gray.count == 652 * 372)
    for number in 1..<4 {
      let others = (0..<320 * 180).map { ($0 % 320, $0 / 320) }
        .filter { pixel(number, $0.0, $0.1) != pixel(number - 1, $0.0, $0.1) }
      #expect(!others.isEmpty)
      #expect(others.allSatisfy { $0.0 > 240 && $0.1 > 140 }, "\(number)")
    }
  }
}
