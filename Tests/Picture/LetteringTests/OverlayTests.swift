import TesseraLettering
import TesseraMessages
import TesseraPixels
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct OverlayTests {
  private let canvas = PixelSize(width: 640, height: 360)
  private let logo = ColorImage(
    width: 40, height: 20, bytes: (0..<800).flatMap { _ in [255, 0, 0, 255] as [UInt8] })

  @Test(arguments: AnchorPoint.allCases) func watermarksKeepTheirDistance(anchor: AnchorPoint)
    throws
  {
    let lettering = LetteringRenderer()
    let group = lettering.picture(
      logo, on: canvas, place: CanvasPosition(anchor, margin: 0.05), opacity: 0.5, height: 0.1)
    #expect(group.size == PixelSize(width: 72, height: 36))
    let origin = group.origin(in: canvas)
    let far = (x: canvas.width - 72 - 18, y: canvas.height - 36 - 18)
    let expected: (x: Int, y: Int) =
      switch anchor {
      case .topLeft: (18, 18)
      case .top: ((canvas.width - 72) / 2, 18)
      case .topRight: (far.x, 18)
      case .left: (18, (canvas.height - 36) / 2)
      case .right: (far.x, (canvas.height - 36) / 2)
      case .center: ((canvas.width - 72) / 2, (canvas.height - 36) / 2)
      case .bottomLeft: (18, far.y)
      case .bottom: ((canvas.width - 72) / 2, far.y)
      case .bottomRight: (far.x, far.y)
      }
    #expect(origin == expected)
    let image = try #require(group.items.first.flatMap { lettering.store.image($0.art) })
    #expect(abs(Int(image.alpha(36, 18)) - 128) <= 1)
  }

  @Test func oddWatermarksStayOnTheCanvas() {
    let lettering = LetteringRenderer()
    let wide = ColorImage(width: 1000, height: 1, bytes: [UInt8](repeating: 255, count: 4000))
    for (image, height) in [(wide, 1.0), (logo, 0), (logo, 99), (logo, -1)] {
      let group = lettering.picture(
        image, on: canvas, place: CanvasPosition(.bottomRight), height: height)
      #expect(group.size.width <= canvas.width && group.size.height <= canvas.height)
      #expect(group.size.width >= 1 && group.size.height >= 1)
    }
  }

  @Test func watermarksNeedAnImageLoader() {
    #expect(throws: ImageFileError.self) { try LetteringRenderer().watermark("a.png", on: canvas) }
  }

  @Test func titlesAreCentered() throws {
    let lettering = LetteringRenderer()
    for text in ["Weekly sync", "Weekly sync\n12 May 2026\nin Berlin", "", Names.hostile[0], "🎉"] {
      let title = lettering.titleCard(
        text, on: canvas, from: .zero, to: MediaTime(seconds: 3))
      #expect(title.fill == lettering.theme.background)
      let group = try #require(title.groups.first)
      #expect(group.items.isEmpty == text.isEmpty)
      let origin = group.origin(in: canvas)
      #expect(origin.x >= 0 && origin.y >= 0)
      #expect(abs(2 * origin.y + group.size.height - canvas.height) <= 1)
    }
  }

  @Test func overlaysAppearAtOnceAndFadeOutEvenly() {
    let overlay = CanvasOverlay(
      from: MediaTime(seconds: 10), to: MediaTime(seconds: 14), fade: MediaTime(seconds: 1),
      groups: [])
    let shares = [9.9, 10, 10.25, 10.5, 11, 12, 13.5, 13.75, 14, 20].map {
      overlay.share(at: MediaTime(nanoseconds: Int64($0 * 1e9)))
    }
    #expect(shares == [0, 256, 256, 256, 256, 256, 128, 64, 0, 0])
  }

  @Test func clocksDoNotMove() {
    let clock = LetteringRenderer().clock(on: canvas)
    let widths = [0, 59, 65, 599].map { seconds in
      clock.group(ClockDigits.text(elapsed: MediaTime(seconds: seconds))).size.width
    }
    #expect(Set(widths).count == 1)
    let zoned = LetteringRenderer().clock(on: canvas, suffix: "UTC+2").group("08:08:08")
    #expect(zoned.size.width > clock.group("08:08:08").size.width)
    #expect(zoned.items.count > 9 && zoned.items.first?.size == zoned.size)
    for item in zoned.items { #expect(item.x + item.size.width <= zoned.size.width) }
    let eight = clock.group(ClockDigits.text(secondsOfDay: 11 * 3600 + 11 * 60 + 11))
    #expect(eight.size == clock.group("08:08:08").size)
    #expect(eight.items.count == 9)
    #expect(eight.items.first?.size == eight.size)
    for item in eight.items {
      #expect(item.x >= 0 && item.x + item.size.width <= eight.size.width)
      #expect(item.y >= 0 && item.y + item.size.height <= eight.size.height)
    }
    #expect(ClockDigits.text(secondsOfDay: -1) == "23:59:59")
    #expect(ClockDigits.text(secondsOfDay: 86400 + 61) == "00:01:01")
    #expect(ClockDigits.text(elapsed: MediaTime(seconds: -5)) == "0:00")
  }

  @Test func labelsAreOnAPlate() throws {
    let lettering = LetteringRenderer()
    #expect(lettering.label(" ", on: canvas, place: CanvasPosition(.top)) == nil)
    for name in Names.all {
      guard let group = lettering.label(name, on: canvas, place: CanvasPosition(.top)) else {
        continue
      }
      #expect(group.size.width <= canvas.width * 9 / 10)
      for item in group.items {
        let area = PixelRect(
          x: item.x, y: item.y, width: item.size.width, height: item.size.height)
        #expect(PixelRect(group.size).intersection(area) == area)
      }
    }
  }

  @Test func missingFontsAreNotedAndReplaced() throws {
    var theme = Theme.dark
    theme.families = ["No Such Family", "Noto Sans"]
    let lettering = LetteringRenderer(theme: theme)
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    #expect(
      lettering.namePlate("Ada", step: step) == LetteringRenderer().namePlate("Ada", step: step))
    #expect(
      lettering.notes == [
        "the font family \"No Such Family\" is not installed: names are drawn in another font; "
          + "install it or name an installed font in the theme."
      ])
  }
}
