import Foundation
import TesseraCaptions
import TesseraCodecs
import TesseraFaces
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// Crops follow drawn faces, whose eyes have known positions.
@Suite("Crops that follow faces", .timed, .enabled(if: Rendition.canFollowFaces))
struct FaceFramingTests {
  private static let size = PixelSize(width: 320, height: 180)
  private static let rate = FrameRate(10) ?? .thirty

  /// Writes a camera file at 10 frames/s with a keyframe every `interval` frames. The eyes of its
  /// faces are at `eyes(frame)`, in pixels.
  private static func clip(
    _ name: String, frames: Int, every interval: Int = 10, preset: String = "ultrafast",
    in folder: TemporaryFolder, _ eyes: (Int) -> [(x: Int, y: Int)]
  ) throws -> String {
    let side = PixelSize(width: 64, height: 96)
    let face = DrawnFace.samples([DrawnFace(x: 32, y: 40, eyes: 24)], size: side)
    var raw = Data()
    for frame in 0..<frames {
      var samples = [UInt8](repeating: 70, count: size.area)
      for (x, y) in eyes(frame) {
        for row in 0..<side.height where (0..<size.height).contains(y - 40 + row) {
          for column in 0..<side.width where (0..<size.width).contains(x - 32 + column) {
            samples[(y - 40 + row) * size.width + x - 32 + column] = face[row * side.width + column]
          }
        }
      }
      raw += samples
    }
    let (input, output) = (folder.path("\(name).gray"), folder.path("\(name).mp4"))
    try raw.write(to: URL(fileURLWithPath: input))
    try Tool.ffmpeg([
      "-f", "rawvideo", "-pix_fmt", "gray", "-s", "320x180", "-r", "10", "-i", input, "-c:v",
      "libx264", "-preset", preset, "-pix_fmt", "yuv420p", "-g", "\(interval)", "-sc_threshold",
      "0",
      output,
    ])
    return output
  }

  private func plan(
    _ path: String, _ canvas: PixelSize, follows: Bool = true, frame: Double? = nil,
    words: Transcript? = nil
  ) throws -> Plan {
    var format = OutputFormat(video: VideoEncoderSettings(size: canvas, frameRate: Self.rate))
    format.fit = .auto
    var rendition = Rendition(output: format)
    (rendition.followsFaces, rendition.headShare) = (follows, frame)
    var call = try CallRequest(inputs: [path])
    if let words {
      rendition.overlays.words = .accent
      call.transcripts = [TranscriptInput(words, name: "t.json", person: nil, start: .zero)]
    }
    return try Planner.plan(rendition, of: call)
  }

  /// Returns the part of the picture that the only tile shows in a frame.
  private func crop(_ plan: Plan, _ frame: Int) throws -> Rect {
    let slot = try #require(plan.slots.first)
    let tile = try #require(plan.scenes.attributes(at: Self.rate.time(ofFrame: frame)).first)
    return PictureFit.Placement(
      aspectRatio: 16.0 / 9, in: tile.displayFrame, coverage: tile.coverage ?? 0,
      focus: slot.framing[frame]
    ).crop
  }

  private static let canvases = [
    PixelSize(width: 270, height: 480), PixelSize(width: 360, height: 480),
    PixelSize(width: 480, height: 480),
  ]

  @Test(
    "Eyes are in the tile in every frame, for a moving person and a person at the edge",
    arguments: [true, false])
  func moving(follows: Bool) throws {
    let folder = try TemporaryFolder()
    // The face is still at the left, moves to the right within two seconds, and is still again.
    func eyes(_ frame: Int) -> (x: Int, y: Int) { (70 + max(0, min(20, frame - 60)) * 9, 70) }
    let path = try Self.clip("moving", frames: 140, in: folder) { [eyes($0)] }
    for canvas in Self.canvases {
      let plan = try plan(path, canvas, follows: follows)
      for frame in 0..<plan.frameCount where !(60..<90).contains(frame) {
        let crop = try crop(plan, frame)
        let x = Double(eyes(frame).x) / 320
        #expect(
          crop.x < x - 0.03 && x + 0.03 < crop.maxX, "\(canvas), frame \(frame): \(crop)")
      }
      let slot = try #require(plan.slots.first)
      let tile = try #require(plan.scenes.attributes(at: .zero).first)
      #expect(tile.displayFrame.size.area > 0.95 * Double(canvas.area), "the canvas is filled")
      #expect(slot.framing.all.first?.value.face ?? 0 > 0.2)
    }
  }

  @Test(
    "Faces are found between keyframes, in reference pictures",
    arguments: [70, 83, 1000], ["ultrafast", "medium"])
  func between(interval: Int, preset: String) throws {
    let folder = try TemporaryFolder()
    // The face moves from left to right within a second, after a keyframe that shows the face at
    // the left.
    func eyes(_ frame: Int) -> (x: Int, y: Int) { (70 + max(0, min(10, frame - 30)) * 18, 70) }
    let path = try Self.clip("few", frames: 200, every: interval, preset: preset, in: folder) {
      [eyes($0)]
    }
    let plan = try plan(path, Self.canvases[0])
    let missed = try (0..<plan.frameCount).filter { frame in
      let (crop, x) = (try crop(plan, frame), Double(eyes(frame).x) / 320)
      return !(30..<65).contains(frame) && (crop.x > x - 0.03 || x + 0.03 > crop.maxX)
    }
    #expect(missed.isEmpty)
  }

  @Test(
    "Pictures are examined every 2 s, and only keyframes if they are as frequent",
    arguments: [
      (10, [0, 20, 40, 60, 80, 100, 120]), (20, [0, 20, 40, 60, 80, 100, 120]),
      (25, [0, 25, 50, 75, 100, 125]), (15, [0, 30, 60, 90, 120]), (19, [0, 38, 76, 114]),
      (70, [0, 20, 40, 60, 70, 90, 110]), (1000, [0, 20, 40, 60, 80, 100, 120]),
    ])
  func samples(interval: Int, expected: [Int]) throws {
    let folder = try TemporaryFolder()
    let path = try Self.clip("looks", frames: 131, every: interval, in: folder) { _ in [] }
    #expect(try looks(path) == expected)
  }

  /// Returns the packets of a file's pictures that are examined, one every 2 s.
  private func looks(_ path: String, within parts: [TimeRange]? = nil) throws -> [Int] {
    let scan = try MediaFileInfo.scan(path, cancellation: Cancellation())
    let source = scan.pictures(try #require(scan.file.tracks(.video).first))
    var packets: [Int] = []
    try PictureSamplingPlan(of: source, every: MediaTime(seconds: 2), within: parts)
      .read(source, cancellation: Cancellation()) { packet, _ in packets.append(packet) }
    return packets
  }

  @Test("Between keyframes, only rendered parts are examined")
  func parts() throws {
    let folder = try TemporaryFolder()
    let part = TimeRange(start: MediaTime(seconds: 9), end: MediaTime(seconds: 11))
    for (interval, expected) in [(70, [0, 70, 90, 110, 140]), (1000, [0, 20, 40, 60, 80, 100])] {
      let path = try Self.clip("part", frames: 200, every: interval, in: folder) { _ in [] }
      #expect(try looks(path, within: [part]) == expected)
    }
  }

  @Test("A still person is framed once; an absent face is waited for")
  func still() throws {
    let folder = try TemporaryFolder()
    let path = try Self.clip("still", frames: 200, in: folder) { frame in
      (80..<120).contains(frame) ? [] : [(x: 230 + [-4, 0, 3, 5][frame / 10 % 4], y: 80)]
    }
    let plan = try plan(path, Self.canvases[0])
    #expect(plan.slots.first?.framing.all.count == 1)
  }

  @Test("Two people in one camera are both framed, or the crop ignores faces without room")
  func two() throws {
    let folder = try TemporaryFolder()
    let near = try Self.clip("near", frames: 30, in: folder) { _ in
      [(x: 110, y: 70), (x: 180, y: 72)]
    }
    let crop = try crop(try plan(near, Self.canvases[2]), 15)
    #expect(crop.x < 0.3 && crop.maxX > 0.62)
    let far = try Self.clip("far", frames: 30, in: folder) { _ in
      [(x: 50, y: 70), (x: 270, y: 72)]
    }
    #expect(try plan(far, Self.canvases[0]).slots.first?.framing.all.isEmpty == true)
  }

  @Test("Without a crop no faces are searched, unless heads are to be alike")
  func wide() throws {
    let folder = try TemporaryFolder()
    let path = try Self.clip("wide", frames: 30, in: folder) { _ in [(x: 100, y: 80)] }
    let canvas = PixelSize(width: 480, height: 270)
    #expect(try plan(path, canvas).slots.first?.framing.all.isEmpty == true)
    let framed = try plan(path, canvas, frame: 0.7)
    let zoom = try #require(framed.slots.first?.framing.all.first?.value.zoom)
    #expect(zoom > 1 && zoom <= 1.6)
  }

  @Test("Captions and names cover no face, on any canvas")
  func words() throws {
    let folder = try TemporaryFolder()
    let path = try Self.clip("words", frames: 60, in: folder) { _ in [(x: 140, y: 60)] }
    let text = "one two three four five six seven eight nine ten"
    let said = Transcript([
      Transcript.Line(nil, from: .zero, to: MediaTime(seconds: 6), text)
    ])
    for canvas in Self.canvases {
      let plan = try plan(path, canvas, words: said)
      let slot = try #require(plan.slots.first)
      let tile = try #require(plan.scenes.attributes(at: .zero).first)
      let face = try #require(
        slot.framing[0]?.faceArea(
          in: tile.displayFrame, aspectRatio: 16.0 / 9, coverage: tile.coverage ?? 0))
      let groups = plan.look.overlays.flatMap(\.groups)
      #expect(groups.count == 10)
      for group in groups {
        let origin = group.origin(in: canvas)
        #expect(Double(origin.y) >= face.maxY || Double(origin.y + group.size.height) <= face.y)
      }
    }
  }

  @Test("Face crops have the same bytes for any number of workers and any kernels")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let path = try Self.clip("bytes", frames: 260, in: folder) { frame in
      [(x: frame < 130 ? 90 : 220, y: 75)]
    }
    var plan = try plan(path, Self.canvases[0])
    plan.output.video.preset = "ultrafast"
    var made: Set<Data> = []
    for (number, jobs) in [1, 3].enumerated() {
      for level in [PixelKernels.InstructionSet.c, .detected] {
        var settings = RenderSettings()
        (settings.jobs, settings.workers) = (jobs, .threads)
        let output = folder.path("out-\(number)-\(level.rawValue).mp4")
        _ = try Renderer(plan, kernels: PixelKernels(level: level), settings: settings)
          .render(to: output)
        made.insert(try Data(contentsOf: URL(fileURLWithPath: output)))
      }
    }
    #expect(made.count == 1)
  }
}
