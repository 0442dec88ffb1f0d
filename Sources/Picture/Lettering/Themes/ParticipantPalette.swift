internal import TesseraPixels

/// The colors of participants: twelve hues of one lightness (OKLCH, L 0.53), so that none
/// dominates. White letters on them have a contrast of at least 4.9:1.
enum ParticipantPalette {
  static let colors: [Color] = [
    0xb6335e, 0xba362e, 0xa94e00, 0x92600b, 0x348008, 0x118054, 0x107c73, 0x10798c, 0x0a71b1,
    0x4760cd, 0x7d4dbe, 0xa43c92,
  ].map { Color(rgb: $0) }

  /// Returns the color of the participant `id`, which is equal in every render.
  static func color(of id: String) -> Color {
    // FNV-1a (Fowler, Noll and Vo), then mixed so that all of its bits count.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
    return colors[Int((hash >> 32) % UInt64(colors.count))]
  }
}
