internal import TesseraPixels

/// The colours of people: twelve hues of one lightness (OKLCH, L 0.53), so that none shouts. White
/// letters on them have a contrast of at least 4.9:1.
enum Palette {
  static let colors: [Color] = [
    0xb43368, 0xba3728, 0x9d580c, 0x83680b, 0x637502, 0x03823a, 0x067d6e, 0x087988, 0x0573aa,
    0x4760cd, 0x7d4dbe, 0x9f3e99,
  ].map { Color(rgb: $0) }

  /// The colour of the person with that identifier: the same in every render.
  static func color(of id: String) -> Color {
    // FNV-1a (Fowler, Noll and Vo), then mixed so that all of its bits count.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
    return colors[Int((hash >> 32) % UInt64(colors.count))]
  }
}
