import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Recordings that a test writes with `ffmpeg` into a temporary folder.
struct SoundFiles {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { folder.path(name) }

  /// Runs `ffmpeg` with `arguments` and the path of `name`, and returns that path.
  func make(_ name: String, _ arguments: [String]) throws -> String {
    try Tool.ffmpeg(["-bitexact"] + arguments + [path(name)])
    return path(name)
  }

  /// Writes interleaved 48 kHz stereo as a WAV file of 32-bit floating-point samples.
  func makeWave(_ name: String, _ samples: [Float]) throws -> String {
    let raw = path(name + ".f32")
    try unsafe samples.withUnsafeBytes { try unsafe Data($0).write(to: URL(filePath: raw)) }
    return try make(
      name, ["-f", "f32le", "-ar", "48000", "-ac", "2", "-i", raw, "-c:a", "pcm_f32le"])
  }

  /// Writes interleaved 48 kHz stereo as AAC in an MP4 file.
  func encode(_ samples: [Float], to path: String) throws {
    var encoder = try AudioEncoder.open(SoundEncoderSettings(bitRate: 128_000))
    var muxer = try Muxer.create(path, cancellation: Cancellation())
    let stream = try muxer.addStream(encoder)
    try muxer.begin(tags: [:])
    for start in stride(from: 0, to: samples.count, by: 2 * Soundtrack.blockLength) {
      let end = min(samples.count, start + 2 * Soundtrack.blockLength)
      let block = Array(samples[start..<end])
      for packet in try encoder.encode(block.span) { try muxer.write(packet, stream: stream) }
    }
    for packet in try encoder.finish() { try muxer.write(packet, stream: stream) }
    try muxer.finish()
  }

  /// Decodes a file with `ffmpeg` to interleaved 48 kHz stereo.
  static func decode(_ path: String) throws -> [Float] {
    let data = try Tool.ffmpeg(["-i", path, "-f", "f32le", "-ar", "48000", "-ac", "2", "-"])
    return unsafe [Float](unsafeUninitializedCapacity: data.count / 4) { buffer, count in
      count = unsafe data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer)) / 4
    }
  }
}

extension VoiceSource {
  /// Creates the source for stream `stream` of the file at `path`, whose time 0 is at `start`, in
  /// full length.
  init(_ path: String, stream: Int = 0, at start: MediaTime = .zero) throws {
    let scan = try MediaFileInfo.scan(path, cancellation: Cancellation())
    let track = try #require(scan.file.tracks(.audio).first { $0.stream.index == stream })
    let sound = scan.sound(track)
    self.init(
      sound, clock: VoiceClockFit(sound), start: start + scan.file.containerStart.rounded,
      interval: TimeRange(start: start, end: MediaTime(seconds: 86_400)))
  }
}

extension Soundtrack {
  /// Returns the whole mix of `voices`, interleaved, and the reports.
  static func render(
    _ voices: [VoiceSource], seconds: Double
  ) throws -> (samples: [Float], reports: [VoiceReport]) {
    var soundtrack = Soundtrack(
      voices, sampleCount: Int64(seconds * 48_000), cancellation: Cancellation())
    var samples: [Float] = []
    var block: [Float] = []
    while try soundtrack.next(into: &block) { samples += block }
    return (samples, soundtrack.voiceReports)
  }
}

/// Finds the onsets of tones after silence, block by block.
struct OnsetDetector {
  /// The frames at which a tone began.
  private(set) var onsets: [Int] = []
  private var position = 0
  private var lastLoud = Int.min / 2

  static let threshold: Float = 0.05

  mutating func process(_ block: [Float]) {
    let samples = block.span
    var index = 0
    while index < samples.count {
      if samples[index] > Self.threshold || samples[index] < -Self.threshold {
        if position - lastLoud > 2400 { onsets.append(position) }
        lastLoud = position
      }
      position += 1
      index += 2
    }
  }
}
