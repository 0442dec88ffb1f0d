import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite("Notes on channels and gaps", .timed) struct SoundNotesTests {
  private static func notes(_ folder: TemporaryFolder, _ names: [String]) throws -> [String] {
    let size = PixelSize(width: 64, height: 48)
    return try RenditionRequest(
      inputs: names.map(folder.path),
      output: OutputFormat(video: VideoEncoderSettings(size: size, frameRate: .thirty))
    ).plan().notes
  }

  @Test("The only sound of several cameras may be two microphones")
  func sides() throws {
    let folder = try TemporaryFolder()
    for name in ["Ada.mkv", "Ben.mkv"] {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264", folder.path(name),
      ])
    }
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "aevalsrc=0.3*sin(2000*t)|0.3*sin(3000*t):d=2", folder.path("show.wav"),
    ])
    let words = "--channels each makes two voices of it"
    #expect(
      try Self.notes(folder, ["Ada.mkv", "Ben.mkv", "show.wav"]).contains { $0.contains(words) })
    #expect(try !Self.notes(folder, ["Ada.mkv", "show.wav"]).contains { $0.contains(words) })
  }

  @Test("A missing channel of a file is noted")
  func absentChannel() throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg(["-f", "lavfi", "-i", "sine=d=2", folder.path("a.wav")])
    let session = """
      version: 1
      participants:
        - {id: ada, tracks: [{file: a.wav, channel: 3}]}
      """
    try Data(session.utf8).write(to: URL(filePath: folder.path("session.yaml")))
    let notes = try Self.notes(folder, ["session.yaml"])
    #expect(notes.contains { $0.contains("has 1 channel, so its channel 3 is silent") })
  }

  @Test("Gaps count as packet loss only if some packets were sent twice")
  func holes() throws {
    var report = VoiceReport()
    (report.decodedSamples, report.concealedSamples) = (48_000 * 9, 48_000)
    let hole = try #require(report.note(on: "Ada"))
    #expect(
      hole.commandLine.contains("no sound for 1.0 s (10.0 %)")
        && !hole.commandLine.contains("packets"))
    report.recoveredSamples = 4800
    #expect(report.note(on: "Ada")?.commandLine.contains("packets of the sound were lost") == true)
  }
}
