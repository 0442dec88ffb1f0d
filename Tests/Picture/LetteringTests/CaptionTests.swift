import Foundation
import TesseraCaptions
import TesseraPixels
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraLettering

@Suite(.timed) struct CaptionLayoutTests {
  private let canvas = PixelSize(width: 640, height: 360)

  private func cue(_ from: Int, _ to: Int, _ lines: String...) -> CaptionCue {
    CaptionCue(from: MediaTime(seconds: from), to: MediaTime(seconds: to), lines: lines)
  }

  @Test func overlappingCuesAreShownTogether() {
    let stretches = LetteringRenderer.stretches([cue(0, 4, "a"), cue(2, 6, "b"), cue(8, 9, "c")])
    #expect(stretches == [cue(0, 2, "a"), cue(2, 4, "a", "b"), cue(4, 6, "b"), cue(8, 9, "c")])
  }

  @Test func captionsStayInTheSafeArea() throws {
    let lettering = LetteringRenderer()
    let long = String(repeating: "many words that go on ", count: 20)
    for lines in [
      ["Hello"], ["Two", "lines"], [long], Array(repeating: "line", count: 9), Names.hostile,
      ["שלום עולם"], ["👨‍👩‍👧‍👦 هل تسمعني؟"], [String(repeating: "W", count: 900)],
    ] {
      let overlays = lettering.captions(
        [CaptionCue(from: .zero, to: MediaTime(seconds: 1), lines: lines)], on: canvas,
        clearance: { _, _ in 30 })
      let group = try #require(overlays.first?.groups.first)
      let origin = group.origin(in: canvas)
      #expect(group.size.width <= canvas.width * 9 / 10)
      #expect(origin.y + group.size.height == canvas.height - 30)
      #expect(origin.y >= canvas.height / 2)
      for item in group.items {
        let area = PixelRect(
          x: item.x, y: item.y, width: item.size.width, height: item.size.height)
        #expect(PixelRect(group.size).intersection(area) == area)
      }
    }
  }

  @Test func aLongLineIsBrokenEvenly() throws {
    let lettering = LetteringRenderer()
    let text = "This is a caption that cannot be shown on one line here but fits on two of them"
    let group = try #require(
      lettering.caption([text], on: canvas))
    #expect(group.size.width < canvas.width * 7 / 10)
  }

  @Test func equalCaptionsAreDrawnOnce() {
    let lettering = LetteringRenderer()
    let overlays = lettering.captions([cue(0, 1, "yes"), cue(3, 4, "yes")], on: canvas)
    #expect(overlays.count == 2)
    #expect(overlays[0].groups == overlays[1].groups)
    #expect(lettering.store.ids.count == 2)
  }
}
