import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Files with uneven or missing audio packets, in the containers and codecs that carry them.
@Suite(.timed) struct UnevenTimesTests {
  /// The codecs to test with each container.
  private static let formats = [
    ("mp4", "aac"), ("mp4", "libmp3lame"), ("mp4", "libopus"), ("mkv", "aac"), ("mkv", "libopus"),
    ("mkv", "pcm_s16le"), ("webm", "libopus"), ("ts", "aac"), ("ts", "libmp3lame"),
    ("ts", "libopus"),
  ]

  /// Writes 12 s of a tone whose packets `filters` change.
  private static func file(
    _ files: SoundFiles, _ container: String, _ codec: String, _ filters: String,
    seconds: Int = 12, name: String = "uneven"
  ) throws -> String {
    try files.make(
      "\(name).\(container)",
      [
        "-f", "lavfi", "-i",
        "aevalsrc=0.4*sin(2*PI*440*t):sample_rate=48000:channel_layout=stereo:duration=\(seconds)",
        "-af", "asetnsamples=n=960:p=0", "-c:a", codec, "-bsf:a", filters,
      ])
  }

  /// Returns a filter that moves each packet by up to `milliseconds`, in the container's unit.
  private static func jitter(_ milliseconds: Double, _ container: String) -> String {
    let units: Double =
      switch container {
      case "mkv", "webm": 1000
      case "ts": 90_000
      default: 48_000
      }
    return "setts=ts='PTS+round((random(1)-0.5)*\(2 * milliseconds / 1000 * units))'"
  }

  @Test(arguments: formats) func jitterMovesNothing(container: String, codec: String) throws {
    let files = try SoundFiles()
    let path = try Self.file(files, container, codec, Self.jitter(8, container))
    let (_, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 13)
    let report = try #require(reports.first)
    #expect(report.breakCount == 0 && report.silentSamples == 0 && report.droppedSamples == 0)
    #expect(report.driftPartsPerMillion == 0)
    #expect(!report.hasLosses)
    // A transport stream begins at 1.4 s.
    #expect(report.mixedSamples > (container == "ts" ? 555_000 : 570_000))
  }

  @Test(arguments: [("mkv", "libopus"), ("mkv", "pcm_s16le"), ("ts", "aac"), ("webm", "libopus")])
  func lossIsNoDrift(container: String, codec: String) throws {
    let files = try SoundFiles()
    let filters = "noise=drop='lt(random(2),0.05)'," + Self.jitter(2, container)
    let path = try Self.file(files, container, codec, filters, seconds: 40)
    let voice = try VoiceSource(path)
    #expect(voice.clock.partsPerMillion == 0 && voice.clock.refusedPartsPerMillion == 0)
    // Whole packets are missing, and the sound between them is played unchanged.
    #expect(voice.clock.runs.count > 20 && voice.clock.runs.allSatisfy(\.isPlain))
    let last = voice.sound.track.packets.count - 1
    let length = voice.clock.position(ofBlock: last, in: voice.sound) / 48_000
    #expect(abs(length - 40) < 0.3)
  }

  @Test(arguments: [8_000, 12_000, 16_000, 24_000], ["mkv", "ogg", "mp4"])
  func opusIsCountedAtItsOwnRate(rate: Int, container: String) throws {
    let files = try SoundFiles()
    let path = try files.make(
      "narrow.\(container)",
      ["-f", "lavfi", "-i", "sine=sample_rate=\(rate):duration=3", "-c:a", "libopus"])
    let scan = try MediaFileInfo.scan(path, cancellation: Cancellation())
    #expect(scan.file.losses.isEmpty)
    let voice = try VoiceSource(path)
    #expect(voice.clock.runs.count == 1 && voice.clock.partsPerMillion == 0)
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: ["edge/rtc_chrome.webm", "edge/am_large-length.avi", "edge/am_long_edit_audio.mp4"])
  func realFilesWithOddTimesAreComplete(name: String) throws {
    let path = SharedMedia.path(name)
    let scan = try MediaFileInfo.scan(path, cancellation: Cancellation())
    #expect(!scan.file.losses.contains { $0.code == "partly-decoded" })
    let track = try #require(scan.file.tracks(.audio).first)
    let voice = try VoiceSource(path, stream: track.stream.index)
    #expect(voice.clock.partsPerMillion == 0 && voice.clock.runs.count == 1)
    #expect((voice.clock.refusedPartsPerMillion < -900_000) == (name == "edge/am_large-length.avi"))
    let (_, reports) = try Soundtrack.render([voice], seconds: 31)
    #expect(reports[0].silentSamples == 0 && reports[0].droppedSamples == 0)
  }
}
