import TestSupport
import Testing

@testable import TesseraRendering

/// A short call needs one worker, because a worker's start costs as much as the call.
@Suite(.timed) struct ShortCallTests {
  @Test("The worker of a short call's pictures also renders its sound")
  func together() throws {
    let both: [RenderJob] = [.soundtrack, .segments(0..<1)]
    #expect(
      RenderPipeline.together(both, soundCost: 7e6) == [.together([.segments(0..<1), .soundtrack])])
    #expect(RenderPipeline.together(both, soundCost: 1e9) == both)
    let long = both + [.segments(1..<2)]
    #expect(RenderPipeline.together(long, soundCost: 7e6) == long)
    #expect(RenderPipeline.together([.soundtrack], soundCost: 7e6) == [.soundtrack])
  }
}
