import Foundation

/// A call with obstacles to reproducible output: field pairs, 10-bit video, damage, two recordings
/// in one file, and a participant who leaves at a segment boundary.
public enum HardCall {
  /// The duration in seconds: at least four segments.
  public static let seconds = 62

  /// Writes the recordings into `folder` and returns their paths.
  public static func make(_ folder: TemporaryFolder) throws -> [String] {
    let sources: [(name: String, seconds: Double, arguments: [String])] = [
      ("vp8.webm", 62, ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-g", "90"]),
      ("deep.mp4", 62, ["-c:v", "libx264", "-preset", "superfast", "-bf", "2", "-g", "70"]),
      ("fields.ts", 62, ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-g", "15", "-q:v", "6"]),
      ("damaged.mp4", 62, ["-c:v", "libx264", "-preset", "superfast", "-g", "120"]),
      ("first.webm", 30.2, ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"]),
      ("leaves.mp4", 29.8, ["-c:v", "libx264", "-preset", "ultrafast", "-g", "1000"]),
    ]
    for (index, source) in sources.enumerated() {
      let format = source.name == "deep.mp4" ? "yuv420p10le" : "yuv420p"
      let length = "\(source.seconds)"
      try Tool.ffmpeg(
        [
          "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=\(length)", "-f", "lavfi", "-i",
          "sine=frequency=\(220 * (index + 1)):sample_rate=48000:d=\(length)", "-pix_fmt", format,
          "-shortest",
        ] + source.arguments + [folder.path(source.name)])
    }
    try damage(folder.path("damaged.mp4"))
    let first = try Data(contentsOf: URL(fileURLWithPath: folder.path("first.webm")))
    try (first + first).write(to: URL(fileURLWithPath: folder.path("twice.webm")))
    return ["vp8.webm", "deep.mp4", "fields.ts", "damaged.mp4", "twice.webm", "leaves.mp4"]
      .map(folder.path)
  }

  /// Changes bytes in the middle of a file's packets, before their index.
  public static func damage(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var generator = SplitMix64(seed: 11)
    for _ in 0..<60 {
      let place = Int.random(in: (bytes.count / 4)..<(bytes.count / 2), using: &generator)
      bytes[place] ^= 0x5a
    }
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
