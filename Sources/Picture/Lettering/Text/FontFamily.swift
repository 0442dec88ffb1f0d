/// A font family that participants' names may need.
package struct FontFamily: Hashable, Sendable, Codable {
  package var name: String
  /// The scripts or characters drawn with the family, as text.
  package var letters: String
  /// The Debian package that contains the family.
  package var package: String

  /// The families without which some names cannot be drawn.
  static let wanted = [
    FontFamily(name: "Noto Sans", letters: "letters of some scripts", package: "fonts-noto-core"),
    FontFamily(
      name: "Noto Sans CJK JP", letters: "Chinese, Japanese and Korean letters",
      package: "fonts-noto-cjk"),
    FontFamily(name: "Noto Color Emoji", letters: "emoji", package: "fonts-noto-color-emoji"),
  ]

  /// The recommended families, divided into those installed on this machine and those missing.
  package static var here: (installed: [FontFamily], missing: [FontFamily]) {
    let fonts = FontContext()
    return (wanted.filter { fonts.has($0.name) }, wanted.filter { !fonts.has($0.name) })
  }
}
