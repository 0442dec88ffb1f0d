import Foundation
import TestSupport
import Testing

/// Overlays as options of the command line.
@Suite(.timed) struct LookCommandTests {
  private static func preview(
    _ folder: TemporaryFolder, _ clip: String, _ clock: [String]
  ) throws -> (result: Tool.Result, picture: [UInt8]) {
    let still = folder.path("still.png")
    let result = try TesseraTool.run(
      ["preview"] + clock + [clip, "--at", "1", "--size", "320x180", "-o", still])
    let data = FileManager.default.contents(atPath: still) ?? Data()
    try? FileManager.default.removeItem(atPath: still)
    return (result, Array(data))
  }

  @Test func clocksShowCallTimeOrTimeOfDay() throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("a.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "color=navy:s=320x180:r=30:d=2", "-c:v", "libx264", "-metadata",
      "creation_time=2026-03-01T10:20:30Z", clip,
    ])
    func picture(_ clock: String...) throws -> [UInt8] {
      let (result, picture) = try Self.preview(folder, clip, clock)
      #expect(result.status == 0, "\(result.messages)")
      return picture
    }
    let none = try picture()
    let call = try picture("--clock")
    #expect(try call != none && picture("--clock", "call") == call)
    #expect(try picture("--clock=call") == call)
    let wall = try picture("--clock", "wall")
    #expect(wall != call && wall != none)
    let zoned = try picture("--clock=wall:zone=+02:00")
    #expect(try zoned != wall && picture("--clock", "wall:zone=+2") == zoned)
  }

  @Test func invalidClocksAreRefused() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    for clock in ["--clock=wal", "--clock=wall:zone=99"] {
      let (result, _) = try Self.preview(folder, clip, [clock])
      #expect(result.status == 2 && result.messages.contains("give call, wall"))
    }
    let (result, _) = try Self.preview(folder, clip, ["--clock", "wall"])
    #expect(result.status == 2 && result.messages.contains("the recordings have no time of day"))
  }
}
