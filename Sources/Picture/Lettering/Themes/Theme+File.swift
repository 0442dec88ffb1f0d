package import TesseraDocuments
internal import TesseraPixels

extension Theme {
  /// Reads a theme from a JSON or YAML file, chosen by the name of `file`; YAML if the name has no
  /// known extension.
  ///
  /// Every key is optional. Missing keys have the values of the theme that `base` names, by default
  /// `dark`.
  package init(_ bytes: [UInt8], file: String) throws(DocumentError) {
    let document = try DocumentValue(
      bytes, DocumentValue.Syntax(fileName: file) ?? .yaml, file: file)
    var keys = try DocumentMemberReader(document, file: file, kind: "a theme")
    let base = try keys.text("base")
    guard var theme = Theme.named(base ?? "dark") else {
      let names = Theme.builtIn.map(\.name)
      let hint = base?.nearest(among: names).map { ": did you mean \"\($0)\"?" } ?? ""
      throw keys.invalid("base", "one of \(names.joined(separator: ", "))\(hint)")
    }
    theme.name = try keys.text("name") ?? file
    try keys.color("background") { theme.background = $0 }
    let radius = try keys.number("corner-radius", in: 0...540)
    let gap = try keys.number("gap", in: 0...540)
    (theme.cornerRadius, theme.gap) = (radius ?? theme.cornerRadius, gap ?? theme.gap)
    theme.keepsEdges = radius != nil || gap != nil
    theme.blursBars = try keys.bool("blur-bars") ?? theme.blursBars
    if let fonts = try keys.texts("fonts") {
      guard (1...16).contains(fonts.count), fonts.allSatisfy(Self.isFamily) else {
        throw keys.invalid("fonts", "a list of 1 to 16 names of font families")
      }
      theme.families = fonts
    }
    if var plate = try keys.object("plate") { try theme.plate.read(&plate) }
    if var highlight = try keys.object("highlight") { try theme.highlight.read(&highlight) }
    if var card = try keys.object("card") { try theme.card.read(&card) }
    if var badge = try keys.object("badge") { try theme.badge.read(&badge) }
    try keys.finish()
    self = theme
  }

  /// True if `name` is a valid font family name. Names with a comma are invalid because Pango
  /// separates families by commas.
  private static func isFamily(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && !name.contains(",") && !name.contains("\0")
  }
}

extension Theme.Plate {
  fileprivate mutating func read(_ keys: inout DocumentMemberReader) throws(DocumentError) {
    isShown = try keys.bool("shown") ?? isShown
    try keys.color("color") { color = $0 }
    opacity = try keys.number("opacity", in: 0...1) ?? opacity
    try keys.color("text") { textColor = $0 }
    weight = try keys.choice("weight") ?? weight
    corner = try keys.choice("position") ?? corner
    roundness = try keys.number("roundness", in: 0...1) ?? roundness
    try keys.color("accent") { accent = $0 }
    try keys.finish()
  }
}

extension Theme.Highlight {
  fileprivate mutating func read(_ keys: inout DocumentMemberReader) throws(DocumentError) {
    isShown = try keys.bool("shown") ?? isShown
    try keys.color("color") { color = $0 }
    width = try keys.number("width", in: 0...40) ?? width
    try keys.finish()
  }
}

extension Theme.Card {
  fileprivate mutating func read(_ keys: inout DocumentMemberReader) throws(DocumentError) {
    try keys.color("color") { color = $0 }
    tint = try keys.number("tint", in: 0...1) ?? tint
    try keys.color("text") { textColor = $0 }
    isBlank = try keys.bool("blank") ?? isBlank
    disc = try keys.number("disc", in: 0.1...0.8) ?? disc
    try keys.finish()
  }
}

extension Theme.Badge {
  fileprivate mutating func read(_ keys: inout DocumentMemberReader) throws(DocumentError) {
    isShown = try keys.bool("shown") ?? isShown
    try keys.color("color") { color = $0 }
    opacity = try keys.number("opacity", in: 0...1) ?? opacity
    try keys.color("sign") { signColor = $0 }
    try keys.finish()
  }
}

extension DocumentMemberReader {
  /// Reads a color and passes it to `use`; does nothing if the key is missing.
  fileprivate mutating func color(
    _ key: String, _ use: (Color) -> Void
  ) throws(DocumentError) {
    guard let text = try text(key) else { return }
    guard let color = Color(text) else { throw invalid(key, "a color, such as #1b2f4a or navy") }
    use(color)
  }
}
