internal import TesseraPixels

extension Theme {
  /// The built-in themes, the default first.
  public static let builtIn: [Theme] = [dark, light, broadcast, plain]

  /// Returns the built-in theme `name`, in any case; `nil` if there is none.
  public static func named(_ name: String) -> Theme? {
    builtIn.first { $0.name == name.lowercased() }
  }

  /// The default theme: rounded tiles on near black.
  public static let dark = Theme(
    name: "dark", background: Color(rgb: 0x0f1115), cornerRadius: 16, gap: 10, blursBars: true,
    plate: Plate(color: Color(rgb: 0x0b0d11), opacity: 0.66, textColor: .white),
    highlight: Highlight(color: Color(rgb: 0x5aa2ff), width: 4),
    card: Card(color: Color(rgb: 0x23272f), tint: 0.18, textColor: Color(rgb: 0xc3c9d4)),
    badge: Badge(color: Color(rgb: 0xc5303c), signColor: .white))

  /// A theme with rounded tiles on near white.
  public static let light = Theme(
    name: "light", background: Color(rgb: 0xf4f5f7), cornerRadius: 16, gap: 10, blursBars: true,
    plate: Plate(color: .white, opacity: 0.88, textColor: Color(rgb: 0x1b1f26)),
    highlight: Highlight(color: Color(rgb: 0x1f6feb), width: 4),
    card: Card(color: Color(rgb: 0xdfe3e9), tint: 0.13, textColor: Color(rgb: 0x4a525f)),
    badge: Badge(color: Color(rgb: 0xc5303c), signColor: .white))

  /// A theme with square tiles close together and names in the style of television.
  public static let broadcast = Theme(
    name: "broadcast", background: Color(rgb: 0x05080d), cornerRadius: 0, gap: 4, blursBars: true,
    plate: Plate(
      color: Color(rgb: 0x0c1e36), opacity: 0.92, textColor: .white, weight: .bold, roundness: 0,
      accent: Color(rgb: 0xffb931)),
    highlight: Highlight(color: Color(rgb: 0xffb931), width: 5),
    card: Card(color: Color(rgb: 0x13233a), tint: 0.12, textColor: Color(rgb: 0xb9c6d8)),
    badge: Badge(color: Color(rgb: 0x0c1e36), opacity: 0.92, signColor: Color(rgb: 0xffb931)))

  /// A theme with pictures only: no names, initials or signs.
  public static let plain = Theme(
    name: "plain", background: Color(rgb: 0x101418), cornerRadius: 0, gap: 0,
    plate: Plate(
      isShown: false, color: .black, opacity: 0.7, textColor: .white, roundness: 0),
    highlight: Highlight(isShown: false, color: .white, width: 3),
    card: Card(
      color: Color(rgb: 0x2d3134), tint: 0, textColor: Color(rgb: 0xe8eaed), isBlank: true),
    badge: Badge(isShown: false, color: .black, opacity: 0.7, signColor: .white))
}
