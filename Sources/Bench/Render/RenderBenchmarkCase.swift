import ArgumentParser
import Foundation

/// A synthetic call for render benchmarks. ffmpeg generates the recordings, and the layout is one
/// that ffmpeg's xstack can reproduce.
enum RenderBenchmarkCase: String, CaseIterable, ExpressibleByArgument, Codable {
  /// Nine people at 720p in a grid, H.264 with a keyframe every 90 frames.
  case nineH264 = "nine-h264"
  /// Nine people at 720p in a grid, VP8.
  case nineVP8 = "nine-vp8"
  /// Nine people at 720p in a grid, H.264 with a single keyframe per file.
  case oneKeyframe = "one-keyframe"
  /// Nine people at 720p in a grid, H.264. Five cameras stop after a fifth of the time; their sound
  /// continues.
  case halfOff = "half-off"
  /// Twenty-five people, six of them visible: one large tile above five small ones.
  case speaker
  /// Forty-nine people at 180p in a grid.
  case small

  var count: Int {
    switch self {
    case .nineH264, .nineVP8, .oneKeyframe, .halfOff: 9
    case .speaker: 25
    case .small: 49
    }
  }

  private var size: String { self == .small ? "320x180" : "1280x720" }
  private var ending: String { self == .nineVP8 ? "webm" : "mp4" }

  /// The layout options for `tessera render`.
  var tesseraOptions: [String] {
    let grid = ["--theme", "plain", "--gap", "0", "--fit", "cover", "--transition", "0"]
    return self == .speaker ? ["--layout", "speaker"] + grid : grid
  }

  /// Generates the recordings that are missing in `folder` and returns the paths of all.
  func makeClips(_ folder: URL, seconds: Int, run: (String, [String]) throws -> String) throws
    -> [String]
  {
    try (0..<count).map { index in
      let path = folder.appending(path: "\(rawValue)-person\(index).\(ending)").path
      guard !FileManager.default.fileExists(atPath: path) else { return path }
      let isShort = self == .halfOff && index.isMultiple(of: 2)
      let length = isShort ? max(1, seconds / 5) : seconds
      let codec =
        self == .nineVP8
        ? ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1500k"]
        : ["-c:v", "libx264", "-preset", "veryfast", "-b:v", "1500k"]
      let keyframes = self == .oneKeyframe ? ["-g", "100000", "-sc_threshold", "0"] : ["-g", "90"]
      // Motion and noise imitate a camera: a still picture costs a codec nothing.
      _ = try run(
        "ffmpeg",
        [
          "-v", "error", "-y", "-f", "lavfi", "-i",
          "testsrc2=s=\(size):r=30:d=\(length),noise=alls=3:allf=t:all_seed=\(index)", "-f",
          "lavfi", "-i", "sine=frequency=\(200 + 20 * index):sample_rate=48000:d=\(seconds)",
        ] + codec + keyframes + ["-pix_fmt", "yuv420p"] + [path])
      return path
    }
  }

  /// The libavfilter graph of the canvas, from the inputs' pictures to `[v]`.
  var filter: String {
    let cells = cells
    var text = ""
    for (index, cell) in cells.enumerated() {
      text +=
        "[\(index):v]fps=30,scale=\(cell.width):\(cell.height):flags=bicubic"
        + ",tpad=stop_mode=clone:stop_duration=3600[v\(index)];"
    }
    let tiles = cells.indices.map { "[v\($0)]" }.joined()
    let places = cells.map { "\($0.x)_\($0.y)" }.joined(separator: "|")
    // ffmpeg decodes all participants, visible or not.
    let unseen = (cells.count..<count).map { "[\($0):v]nullsink;" }.joined()
    return text + unseen + "\(tiles)xstack=inputs=\(cells.count):layout=\(places):fill=black[v]"
  }

  private struct TileCell {
    var (x, y, width, height) = (0, 0, 0, 0)
  }

  private var cells: [TileCell] {
    guard self != .speaker else {
      // One large tile above five small ones.
      let small = (0..<5).map { TileCell(x: $0 * 384, y: 864, width: 384, height: 216) }
      return [TileCell(x: 192, y: 0, width: 1536, height: 864)] + small
    }
    let side = Int(Double(count).squareRoot())
    let (width, height) = (1920 / side & ~1, 1080 / side & ~1)
    return (0..<count).map {
      TileCell(x: $0 % side * width, y: $0 / side * height, width: width, height: height)
    }
  }
}
