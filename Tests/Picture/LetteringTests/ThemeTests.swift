import Foundation
import TesseraDocuments
import TesseraLettering
import TesseraMessages
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct ThemeTests {
  private func theme(_ text: String, _ file: String = "t.yaml") throws(DocumentError) -> Theme {
    try Theme(Array(text.utf8), file: file)
  }

  @Test func builtInThemesHaveNames() {
    #expect(Theme.builtIn.map(\.name) == ["dark", "light", "broadcast", "plain"])
    #expect(Theme.named("Light") == .light)
    #expect(Theme.named("none") == nil)
  }

  @Test func plainHasPicturesOnly() {
    #expect(Theme.plain.background == Color(rgb: 0x101418))
    #expect(Theme.plain.cornerRadius == 0 && Theme.plain.gap == 0)
    #expect(!Theme.plain.plate.isShown && !Theme.plain.highlight.isShown)
    #expect(!Theme.plain.badge.isShown && Theme.plain.card.isBlank)
  }

  @Test func blurredBarsDependOnTheTheme() throws {
    #expect(Theme.builtIn.filter(\.blursBars).map(\.name) == ["dark", "light", "broadcast"])
    #expect(try theme("gap: 2").blursBars && theme("base: dark\nname: acme").blursBars)
    #expect(try !theme("base: dark\nblur-bars: off").blursBars)
    #expect(try theme("base: plain\nblur-bars: on").blursBars)
    #expect(throws: DocumentError.self) { try theme("blur-bars: 7") }
  }

  @Test func filesChangeTheNamedProperties() throws {
    #expect(try theme("name: dark\n") == .dark)
    let theme = try theme(
      """
      base: light
      name: acme
      background: "#102030"
      corner-radius: 0
      gap: 2.5
      fonts: [Inter, Noto Sans]
      plate: { shown: off, color: navy, opacity: 1, text: "#fff", weight: bold, position: top-left,
               roundness: 1, accent: red }
      highlight: { shown: false, color: "#0f0", width: 8 }
      card: { color: black, tint: 0.5, text: white, blank: on, disc: 0.6 }
      badge: { color: black, opacity: 0.5, sign: yellow }
      """)
    var expected = Theme.light
    expected.name = "acme"
    expected.background = Color(rgb: 0x102030)
    (expected.cornerRadius, expected.gap) = (0, 2.5)
    expected.families = ["Inter", "Noto Sans"]
    (expected.plate.isShown, expected.plate.color) = (false, Color(rgb: 0x000080))
    (expected.plate.opacity, expected.plate.textColor) = (1, .white)
    (expected.plate.weight, expected.plate.corner) = (.bold, .topLeft)
    (expected.plate.roundness, expected.plate.accent) = (1, Color(rgb: 0xff0000))
    (expected.highlight.isShown, expected.highlight.color) = (false, Color(rgb: 0x00ff00))
    expected.highlight.width = 8
    expected.keepsEdges = true
    (expected.card.color, expected.card.tint) = (.black, 0.5)
    (expected.card.textColor, expected.card.disc) = (.white, 0.6)
    expected.card.isBlank = true
    (expected.badge.color, expected.badge.opacity) = (.black, 0.5)
    expected.badge.signColor = Color(rgb: 0xffff00)
    #expect(theme == expected)
    #expect(try self.theme("{\"base\": \"light\", \"name\": \"light\"}", "t.json") == .light)
    let json = try JSONEncoder().encode(theme)
    #expect(try JSONDecoder().decode(Theme.self, from: json) == theme)
  }

  @Test(arguments: [
    (
      "bakground: red",
      "t.yaml: \"bakground\" is not a key of a theme: did you mean \"background\"?"
    ),
    (
      "plate: { colour: red }",
      "t.yaml: \"plate.colour\" is not a key of a theme: did you mean \"color\"?"
    ),
    (
      "base: drak",
      "t.yaml: \"base\" must be one of dark, light, broadcast, plain: did you mean \"dark\"?"
    ),
    ("background: rde", "t.yaml: \"background\" must be a color, such as #1b2f4a or navy."),
    ("gap: -1", "t.yaml: \"gap\" must be a number from 0 to 540."),
    ("gap: .nan", "t.yaml: \"gap\" must be a number from 0 to 540."),
    ("fonts: []", "t.yaml: \"fonts\" must be a list of 1 to 16 names of font families."),
    ("fonts: [\"a,b\"]", "t.yaml: \"fonts\" must be a list of 1 to 16 names of font families."),
    ("- a", "t.yaml cannot be read: it is not an object with keys."),
  ])
  func invalidThemesAreRefused(text: String, sentence: String) {
    do throws(DocumentError) {
      _ = try theme(text)
      Issue.record("it was read")
    } catch {
      #expect(error.description == sentence)
    }
  }

  @Test func distancesGrowWithTheCanvas() {
    #expect(Theme.dark.pixels(10, on: PixelSize(width: 1920, height: 1080)) == 10)
    #expect(Theme.dark.pixels(10, on: PixelSize(width: 540, height: 960)) == 5)
  }
}
