import TesseraCaptions
import TesseraPixels
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraLettering

@Suite("Word-by-word captions", .timed) struct WordOverlayTests {
  private static let texts = [
    "So, what we really want is a tool that understands recordings, and makes clips by itself.",
    "Extraordinarily incomprehensible internationalization! Yes.",
    "It costs 20 € 🙂 and works everywhere, I hope.",
    "مرحبا بكم في هذا الاجتماع الجديد اليوم", "สวัสดีครับวันนี้เราจะพูดถึงเรื่องใหม่",
    "今日は新しい機能について話します。",
  ]

  private func shown(_ lettering: LetteringRenderer, _ text: String) -> [WordCaption] {
    let words = text.split(separator: " ").enumerated().map { number, word in
      Transcript.Word(
        String(word), from: MediaTime(seconds: number), to: MediaTime(seconds: number + 1))
    }
    let groups = CaptionWordGroup.groups(words, pieces: lettering.wordPieces)
    return groups.enumerated().map { number, group in
      let next = number + 1 < groups.count ? groups[number + 1] : nil
      return WordCaption(group, TimeRange(start: group.from, end: group.end(before: next)))
    }
  }

  @Test(
    "Each word has its own overlay, one after another, in the area for captions", arguments: texts)
  func overlays(text: String) throws {
    for canvas in [
      PixelSize(width: 540, height: 960), PixelSize(width: 720, height: 720),
      PixelSize(width: 1280, height: 720),
    ] {
      let lettering = LetteringRenderer()
      let shown = shown(lettering, text)
      let area = CaptionSafeArea(canvas)
      let overlays = lettering.words(shown, on: canvas) { _, _ in (0, area.bottom) }
      #expect(overlays.count == shown.reduce(0) { $0 + $1.group.parts.count })
      for (overlay, next) in zip(overlays, overlays.dropFirst()) {
        #expect(overlay.from < overlay.to && overlay.to <= next.from)
      }
      for group in overlays.flatMap(\.groups) {
        let origin = group.origin(in: canvas)
        #expect(origin.x >= 0 && origin.x + group.size.width <= canvas.width)
        #expect(origin.y + group.size.height == canvas.height - area.bottom)
      }
    }
  }

  @Test("The current word is highlighted, at each of a hundred times")
  func present() throws {
    let lettering = LetteringRenderer()
    let shown = shown(lettering, Self.texts[0])
    let overlays = lettering.words(shown, on: PixelSize(width: 540, height: 960)) { _, _ in (0, 0) }
    let words = shown.flatMap(\.group.parts)
    for step in 0..<100 {
      let time = MediaTime(nanoseconds: Int64(step) * 160_000_000 + 1)
      guard let word = words.firstIndex(where: { $0.from <= time && time < $0.to }) else {
        continue
      }
      let overlay = try #require(overlays.first { $0.from <= time && time < $0.to })
      #expect(overlay == overlays[word])
      let colored = overlay.groups[0].items.filter { $0.color == Color(rgb: 0xffd60a) }
      #expect(colored.count == 1)
    }
  }

  @Test("Any participant color is readable on black")
  func colors() {
    for id in (0..<100).map(String.init) {
      #expect(LetteringRenderer.wordColor(of: id).contrast(to: .black) >= 9)
    }
  }
}
