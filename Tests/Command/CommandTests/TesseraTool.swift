import Foundation
import TestSupport

/// The built `tessera`, run as a process.
enum TesseraTool {
  /// The path of the program, which is beside the tests' own binary.
  static let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "tessera").path

  static func run(
    _ arguments: [String], meanwhile: (Process) -> Void = { _ in }
  ) throws -> Tool.Result {
    try Tool.run(path, arguments, meanwhile: meanwhile)
  }

  /// Writes a short recording with pictures and sound.
  static func makeClip(
    _ folder: TemporaryFolder, _ name: String = "a.webm", seconds: Int = 2
  ) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=\(seconds)", "-f", "lavfi", "-i",
      "sine=frequency=440:sample_rate=48000:d=\(seconds)", "-c:v", "libvpx", "-deadline",
      "realtime", "-cpu-used", "8", "-g", "30", "-c:a", "libopus", path,
    ])
    return path
  }
}

/// The properties of a rendered file that `ffprobe` prints.
struct Probed: Decodable {
  struct Stream: Decodable {
    var codec_name: String
    var codec_type: String
    var width: Int?
    var height: Int?
    var nb_frames: String?
    var duration: String?
    var color_space: String?
    var color_range: String?
    var profile: String?
  }
  struct Format: Decodable {
    var duration: String?
    var tags: [String: String]?
  }
  var streams: [Stream]
  var format: Format

  init(_ path: String) throws {
    let result = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_streams", "-show_format", "-of", "json", path])
    self = try JSONDecoder().decode(Probed.self, from: result.output)
  }

  var video: Stream? { streams.first { $0.codec_type == "video" } }
  var audio: Stream? { streams.first { $0.codec_type == "audio" } }

  /// The durations of picture, sound and file in seconds.
  var durations: [Double] {
    [video?.duration, audio?.duration, format.duration].compactMap { $0.flatMap { Double($0) } }
  }
}
