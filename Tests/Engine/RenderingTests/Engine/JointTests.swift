import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// The joints between segments.
@Suite(.timed) struct JointTests {
  private static let call = Result { () throws -> (TemporaryFolder, [String]) in
    let folder = try TemporaryFolder()
    return (folder, try HardCall.make(folder))
  }

  @Test(
    "Joints and the frames between them cover the timeline once", arguments: ["30", "10", "1/3"])
  func coverage(rate: String) throws {
    let plan = try Plan.small(try Self.call.get().1, rate: try #require(FrameRate(rate)))
    let work = RenditionPlan(plan)
    var covered = plan.frames.lowerBound
    for number in work.segments.indices {
      let (joint, next) = (work.joint(before: number), work.joint(before: number + 1))
      #expect(joint.lowerBound == covered && joint.upperBound <= next.lowerBound)
      covered = next.lowerBound
      #expect(
        work.encodedFrames(of: number).clamped(to: plan.frames) == work.encodedFrames(of: number))
      #expect(
        work.segments[number].clamped(to: work.encodedFrames(of: number)) == work.segments[number])
    }
    #expect(covered == plan.frames.upperBound)
    #expect(work.segments.count >= 3)
  }

  @Test("Segments begin with keyframes, and keyframes are at most the given interval apart")
  func keyframes() throws {
    let folder = try TemporaryFolder()
    for (options, interval) in [([:], 105), (["g": "20"], 20)] {
      var plan = try Plan.small(try Self.call.get().1, rate: try #require(FrameRate("10")))
      plan.output.video.options = options
      _ = try Renderer(plan).render(to: folder.path("out.mp4"))
      let listed = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "v", "-skip_frame", "nokey", "-show_entries",
          "frame=best_effort_timestamp_time", "-of", "csv=p=0", folder.path("out.mp4"),
        ])
      let frames = String(decoding: listed.output, as: UTF8.self).split(separator: "\n").compactMap
      {
        Double($0.trimmingCharacters(in: [","])).map { Int(($0 * 10).rounded()) }
      }
      let starts = RenditionPlan(plan).segments.map(\.lowerBound)
      #expect(starts.count >= 4 && starts.allSatisfy(frames.contains))
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 <= interval })
      #expect(frames.count <= plan.frames.count / interval + starts.count + 2)
    }
  }

  @Test("Counts of shown and lost pictures do not depend on the segments")
  func sums() throws {
    let folder = try TemporaryFolder()
    let plan = try Plan.small(
      try Self.call.get().1, width: 160, height: 96, rate: try #require(FrameRate("10")))
    let row = try reports(plan, folder.path("row")) { [0..<$0] }
    let alone = try reports(plan, folder.path("alone")) { (0..<$0).map { $0..<$0 + 1 }.reversed() }
    let whole = Rendered(plan, frames: plan.frames).reports
    for (index, track) in plan.tracks.enumerated() {
      let (inRow, inPieces) = (try #require(row[track.id]), try #require(alone[track.id]))
      #expect(inRow == inPieces && inRow.shown == whole[index].shown)
      #expect(inRow.losses.map(\.cause) == whole[index].losses.map(\.cause))
    }
    #expect(whole.contains { !$0.losses.isEmpty })
  }

  @Test(
    "A run decodes every picture and composes every frame once, at joints too",
    arguments: [("9999", true), ("20", false), ("37", false)])
  func once(interval: String, isDamaged: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("once.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=10:d=62", "-c:v", "libx264", "-preset", "superfast",
      "-g", interval, "-sc_threshold", "0", path,
    ])
    if isDamaged { try HardCall.damage(path) }
    let plan = try Plan.small([path], rate: try #require(FrameRate("10")))
    let (work, pieces) = (WorkPlan([RenditionPlan(plan)]), WorkFolder(folder.path("work")))
    try pieces.make()
    let rendition = work.renditions[0]
    let count = rendition.segments.count
    #expect(count >= 4 && rendition.cuts.count == 2 * (count - 1))
    let segmentRenderer = SegmentRenderer(
      work: work, folder: pieces, kernels: PixelKernels(), isStrict: false, note: nil,
      cancellation: Cancellation())
    var run = RunRenderer(segmentRenderer, work.sections.indices, of: [0], []) { _ in }
    try run.make()
    #expect(run.composedCount == plan.frames.count)
    #expect((500...630).contains(run.decodedCount))
    #expect(
      (0..<count).allSatisfy {
        FileOperations.byteCount(of: pieces.segmentPath($0, of: rendition)) > 0
      })
  }

  /// Returns the report of each track's pictures, rendered in runs of segments that `rows` forms of
  /// their number.
  private func reports(
    _ plan: Plan, _ path: String, _ rows: (Int) -> [Range<Int>]
  ) throws -> [TrackID: PictureReport] {
    let (work, folder) = (WorkPlan([RenditionPlan(plan)]), WorkFolder(path))
    try folder.make()
    let performer = RenderJobHandler(work, folder: folder)
    let rendition = work.renditions[0]
    for row in rows(work.sections.count) {
      try performer.perform(.segments(row), note: nil, cancellation: Cancellation()) { _ in }
    }
    return try rendition.segments.indices.reduce(into: [:]) { reports, number in
      let text = try PacketFileReader(folder.segmentPath(number, of: rendition)).tail.note
      let note = try #require(SegmentReport(text))
      let pictures = rendition.pictures(in: note, of: number).map { ($0.track.id, $0.1) }
      reports.merge(pictures, uniquingKeysWith: +)
    }
  }

  @Test("Quality around a joint equals that of a single encoder")
  func quality() throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "mandelbrot=s=320x180:r=15,trim=duration=22", "-c:v",
      "libx264", "-preset", "superfast", "-crf", "12", folder.path("a.mp4"),
    ])
    var plan = try Plan.small(
      [folder.path("a.mp4")], width: 320, height: 180, rate: try #require(FrameRate("15")))
    let joints = RenditionPlan(plan).segments.dropFirst().map(\.lowerBound)
    #expect(joints.count == 1)
    _ = try Renderer(plan).render(to: folder.path("out.mp4"))
    plan.output.video.quality = 0
    _ = try Renderer(plan).render(to: folder.path("canvases.mp4"))
    let times = joints.map { "\(Double($0) / 15)" }.joined(separator: ",")
    try Tool.ffmpeg([
      "-i", folder.path("canvases.mp4"), "-an", "-c:v", "libx264", "-preset", "veryfast", "-crf",
      "23",
      "-g", "78", "-pix_fmt", "yuv420p", "-profile:v", "high", "-threads", "1", "-force_key_frames",
      times, "-forced-idr:v", "1", "-x264-params", "cpu-independent=1:open-gop=0",
      folder.path("go.mp4"),
    ])
    let out = try errors("out.mp4", "canvases.mp4", folder)
    let go = try errors("go.mp4", "canvases.mp4", folder)
    #expect(out.count == go.count && out.count == plan.frames.count)
    for joint in joints {
      let differences = ((joint - 6)..<(joint + 6)).map { 10 * log10(go[$0] / out[$0]) }
      #expect(differences.reduce(0, +) / 12 > -0.4, "decibels around frame \(joint)")
    }
  }

  /// Returns the mean square error of each frame of `name` against `reference`.
  private func errors(
    _ name: String, _ reference: String, _ folder: TemporaryFolder
  ) throws -> [Double] {
    let stats = folder.path("\(name).psnr")
    try Tool.ffmpeg([
      "-i", folder.path(name), "-i", folder.path(reference), "-an", "-lavfi",
      "[0:v][1:v]psnr=stats_file=\(stats)", "-f", "null", "-",
    ])
    return try String(contentsOfFile: stats, encoding: .utf8).split(separator: "\n").compactMap {
      $0.split(separator: " ").first { $0.hasPrefix("mse_avg:") }.flatMap {
        Double($0.dropFirst("mse_avg:".count))
      }
    }
  }
}
