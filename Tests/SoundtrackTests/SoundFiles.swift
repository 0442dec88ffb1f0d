import Foundation
import Media
import Soundtrack
import Timeline

/// Recordings for tests: made with the `ffmpeg` command in a folder of their own, or found in the
/// folder of shared recordings beside the package.
final class SoundFiles {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "soundtrack-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  struct ToolFailure: Error {
    var message: String
  }

  /// Runs `ffmpeg` with `arguments` and the path of `name` behind them; answers that path.
  func make(_ name: String, _ arguments: [String]) throws -> String {
    _ = try Self.run("ffmpeg", ["-v", "error", "-y", "-bitexact"] + arguments + [path(name)])
    return path(name)
  }

  /// Writes interleaved 48 kHz stereo as a WAV file of 32-bit floating-point samples.
  func makeWave(_ name: String, _ samples: [Float]) throws -> String {
    let raw = folder.appending(path: name + ".f32")
    try unsafe samples.withUnsafeBytes { try unsafe Data($0).write(to: raw) }
    return try make(
      name, ["-f", "f32le", "-ar", "48000", "-ac", "2", "-i", raw.path, "-c:a", "pcm_f32le"])
  }

  /// What the command printed on standard output and standard error.
  static func run(_ tool: String, _ arguments: [String]) throws -> (output: Data, messages: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolFailure(message: text) }
    return (data, text)
  }

  /// The samples of a file as `ffmpeg` decodes them: interleaved 48 kHz stereo.
  static func decode(_ path: String) throws -> [Float] {
    let data = try run(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-ar", "48000", "-ac", "2", "-"]
    ).output
    return unsafe [Float](unsafeUninitializedCapacity: data.count / 4) { buffer, count in
      count = unsafe data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer)) / 4
    }
  }

  /// The folder of shared recordings.
  static let shared = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/media")

  static let hasShared = FileManager.default.fileExists(atPath: shared.path)
}

extension VoiceSource {
  /// Stream `stream` of the file at `path`, whose time 0 lies at `start`, heard as long as it
  /// lasts.
  init(_ path: String, stream: Int = 0, at start: MediaTime = .zero) {
    self.init(
      path: path, stream: stream, zero: .zero, start: start,
      interval: TimeInterval(start: start, end: MediaTime(seconds: 86_400)))
  }
}

extension Soundtrack {
  /// The whole mix of `voices`, interleaved, and the reports.
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

/// Finds where tones begin after silence, block by block.
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
        if position - lastLoud > 4800 { onsets.append(position) }
        lastLoud = position
      }
      position += 1
      index += 2
    }
  }
}
