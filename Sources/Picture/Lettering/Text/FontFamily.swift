/// A family of letters that people's names may need.
package struct FontFamily: Hashable, Sendable, Codable {
  /// What it is called.
  package var name: String
  /// What is drawn with it.
  package var letters: String
  /// The Debian package that has it.
  package var package: String

  /// The families without which some names cannot be drawn.
  static let wanted = [
    FontFamily(name: "Noto Sans", letters: "letters of some scripts", package: "fonts-noto-core"),
    FontFamily(
      name: "Noto Sans CJK JP", letters: "Chinese, Japanese and Korean letters",
      package: "fonts-noto-cjk"),
    FontFamily(name: "Noto Color Emoji", letters: "emoji", package: "fonts-noto-color-emoji"),
  ]

  /// Those that are wanted and installed on this machine, and those that are not.
  package static var here: (installed: [FontFamily], missing: [FontFamily]) {
    let fonts = Fonts()
    return (wanted.filter { fonts.has($0.name) }, wanted.filter { !fonts.has($0.name) })
  }
}
