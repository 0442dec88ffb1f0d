import TestSupport
import Testing

@testable import TesseraRendering

/// Starting a worker costs as much as a short call.
@Suite(.timed) struct ShortCallTests {
  @Test("The sound of a short call is left to the worker of its pictures")
  func together() throws {
    let both: [RenderJob] = [.soundtrack, .segments(0..<1)]
    #expect(
      RenderRun.together(both, soundCost: 7e6) == [.together([.segments(0..<1), .soundtrack])])
    #expect(RenderRun.together(both, soundCost: 1e9) == both)
    let long = both + [.segments(1..<2)]
    #expect(RenderRun.together(long, soundCost: 7e6) == long)
    #expect(RenderRun.together([.soundtrack], soundCost: 7e6) == [.soundtrack])
  }
}
