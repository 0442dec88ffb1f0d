import CAllocationCount
import TesseraCodecs
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraRendering

/// Counts allocations on the thread that composes frames and passes them to the encoders.
@Suite(.timed) struct LoopAllocationTests {
  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  @Test(
    "Segments allocate nothing per frame, except at their beginnings and ends",
    .enabled(if: isOptimized, "unoptimized code allocates where optimized code does not"),
    arguments: [1, 2])
  func wholeSegments(renditions: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("steady.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=10:d=42", "-c:v", "libx264", "-preset", "superfast",
      "-g", "20", "-sc_threshold", "0", path,
    ])
    let rate = try #require(FrameRate("10"))
    let plans = try [(192, 108), (96, 64)].prefix(renditions).map { width, height in
      try Plan.small([path], width: width, height: height, rate: rate)
    }
    let work = WorkPlan(plans.map { RenditionPlan($0) })
    let pieces = WorkFolder(folder.path("work"))
    try pieces.make()
    let segmentRenderer = SegmentRenderer(
      work: work, folder: pieces, kernels: PixelKernels(), isStrict: false, note: nil,
      cancellation: Cancellation())
    var run = RunRenderer(segmentRenderer, work.sections.indices, of: Array(plans.indices), []) {
      _ in
    }
    let segmentCount = work.renditions.reduce(0) { $0 + $1.segments.count }
    var (steady, busy) = (0, 0)
    var before = tac_count()
    while try run.makeFrame() {
      if tac_count() == before { steady += 1 } else { busy += 1 }
      before = tac_count()
    }
    #expect(steady + busy == work.frameCount && steady > 380 * renditions)
    // An encoder is opened, decoding restarts on both sides of a joint, and a file is finished.
    #expect(segmentCount >= 3 * renditions && busy <= 4 * segmentCount, "\(busy) frames")
  }

  @Test("An encoder reuses one packet object")
  func onePacket() throws {
    let settings = VideoEncoderSettings(
      size: PixelSize(width: 64, height: 48), frameRate: try #require(FrameRate("10")))
    let encoder = try VideoEncoder.open(settings)
    let image = Image(.yuv420p8, size: settings.size)
    var (packets, count) = (Set<ObjectIdentifier>(), 0)
    func see(_ packet: EncodedPacket) {
      packets.insert(ObjectIdentifier(packet))
      count += 1
    }
    for number in 0..<20 {
      try encoder.encode(
        luma: image[plane: 0].readOnly, blue: image[plane: 1].readOnly,
        red: image[plane: 2].readOnly, number: number, see)
    }
    try encoder.finish(see)
    #expect(packets.count == 1 && count == 20)
  }
}
