import Foundation
import Glibc

/// The two programs that render the same grid: `tessera` from the folder of this executable and
/// `ffmpeg` from the search path.
struct ComparedPrograms {
  var clips: [String]
  let folder: URL
  /// The synthetic call; `nil` if recordings were given.
  let madeUp: RenderBenchmarkCase?
  /// The length of the synthetic call.
  let seconds: Int

  private var tessera: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "tessera").path
  }

  private var report: String { folder.appending(path: "report.json").path }

  private var tesseraArguments: [String] {
    ["render"] + clips + [
      "-o", folder.appending(path: "tessera.mp4").path, "--size", "1920x1080", "--progress", "none",
      "--no-cache", "--report", report, "--max-tiles", "\(madeUp == .speaker ? 6 : clips.count)",
    ] + (madeUp?.tesseraOptions ?? RenderBenchmarkCase.nineH264.tesseraOptions)
  }

  /// Tessera's default encoder settings, as options of ffmpeg.
  private static let videoEncoder = [
    "-c:v", "libx264", "-x264-params", "cpu-independent=1:aq-mode=2:aq-strength=0.7", "-preset",
    "veryfast", "-crf", "24", "-g", "300",
  ]

  /// The grid as a libavfilter graph, scaled bicubically like Tessera's, and encoded with the same
  /// settings.
  private var ffmpegArguments: [String] {
    let side = Int(Double(clips.count).squareRoot().rounded())
    let (width, height) = (1920 / side & ~1, 1080 / side & ~1)
    var (scales, tiles, voices, cells) = ("", "", "", [String]())
    for index in clips.indices {
      scales += "[\(index):v]fps=30,scale=\(width):\(height):flags=bicubic[v\(index)];"
      tiles += "[v\(index)]"
      voices += "[\(index):a]"
      cells.append("\(index % side * width)_\(index / side * height)")
    }
    let stack =
      clips.count == 1
      ? "\(tiles)null[v];"
      : "\(tiles)xstack=inputs=\(clips.count):layout=\(cells.joined(separator: "|"))[v];"
    let canvas = madeUp.map { $0.filter + ";" } ?? scales + stack
    let mix = "\(voices)amix=inputs=\(clips.count):normalize=0[a]"
    return ["-v", "error", "-y"] + clips.flatMap { ["-i", $0] } + [
      "-filter_complex", canvas + mix, "-map", "[v]", "-map", "[a]", "-c:a", "aac", "-b:a", "128k",
    ] + Self.videoEncoder + (madeUp == nil ? ["-shortest"] : ["-t", "\(seconds)"])
      + [folder.appending(path: "ffmpeg.mp4").path]
  }

  /// Measures the cost of the codecs alone: decoding every clip and encoding Tessera's output
  /// again. The processor time of reading the raw canvas is subtracted.
  func timeFloor() throws -> RenderBenchmarkResult.Cost {
    let output = folder.appending(path: "tessera.mp4").path
    let raw = folder.appending(path: "canvas.yuv").path
    let sound = folder.appending(path: "sound.wav").path
    defer {
      for path in [raw, sound] { try? FileManager.default.removeItem(atPath: path) }
    }
    _ = try ExternalProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", output, "-map", "0:v", "-f", "rawvideo", raw, "-map", "0:a",
        sound,
      ])
    var sum = RenderBenchmarkResult.Cost(wall: 0, processor: 0)
    for clip in clips {
      sum += try time("ffmpeg", ["-v", "error", "-threads", "1", "-i", clip, "-f", "null", "-"])
    }
    let input =
      ["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "1920x1080"]
      + ["-r", "30", "-i", raw]
    sum += try time(
      "ffmpeg",
      input + Self.videoEncoder + ["-threads", "1", output + ".floor.mp4"])
    sum += try time(
      "ffmpeg", ["-v", "error", "-y", "-i", sound, "-b:a", "128k", output + ".floor.m4a"])
    let reading = try time("ffmpeg", input + ["-c:v", "wrapped_avframe", "-f", "null", "-"])
    sum.processor -= reading.processor
    return sum
  }

  func timeTessera() throws -> RenderBenchmarkResult.Cost { try time(tessera, tesseraArguments) }

  func timeFFmpeg() throws -> RenderBenchmarkResult.Cost { try time("ffmpeg", ffmpegArguments) }

  /// Counts the distinct source pictures that each program shows: Tessera's from its report,
  /// ffmpeg's from the frame hashes after its fps filter.
  func distinctPictures() throws -> (tessera: Int, ffmpeg: Int) {
    _ = try ExternalProgram.run(tessera, tesseraArguments)
    struct Report: Decodable {
      struct Input: Decodable {
        struct Pictures: Decodable { var shown: Int }
        var pictures: Pictures?
      }
      var inputs: [Input]
    }
    let written = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: URL(fileURLWithPath: report)))
    let shown = written.inputs.reduce(0) { $0 + ($1.pictures?.shown ?? 0) }
    let counted = try clips.reduce(0) { sum, clip in
      let hashes = try ExternalProgram.run(
        "ffmpeg",
        ["-v", "error", "-i", clip, "-map", "0:v:0", "-vf", "fps=30", "-f", "framemd5", "-"])
      let frames = hashes.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").last }
      return sum + zip(frames, [Substring?](arrayLiteral: nil) + frames).count { $0 != $1 }
    }
    return (shown, counted)
  }

  private func time(_ program: String, _ arguments: [String]) throws -> RenderBenchmarkResult.Cost {
    let clock = ContinuousClock()
    let (begin, used) = (clock.now, Self.processorSeconds)
    _ = try ExternalProgram.run(program, arguments)
    return RenderBenchmarkResult.Cost(
      wall: (clock.now - begin) / .seconds(1), processor: Self.processorSeconds - used)
  }

  /// The processor time of this process's exited children so far.
  private static var processorSeconds: Double {
    var usage = rusage()
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return usage.processorSeconds
  }
}

extension rusage {
  /// The processor time, user and system, in seconds.
  var processorSeconds: Double {
    let seconds = Double(ru_utime.tv_sec + ru_stime.tv_sec)
    return seconds + Double(ru_utime.tv_usec + ru_stime.tv_usec) / 1e6
  }
}

extension RenderBenchmarkResult.Cost {
  static func += (sum: inout Self, other: Self) {
    sum.wall += other.wall
    sum.processor += other.processor
  }
}
