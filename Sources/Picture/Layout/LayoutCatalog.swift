/// A layout that can be asked for by name.
package struct NamedLayout: Sendable {
  /// Its name on the command line and in files.
  package let name: String
  /// What it does, in one line.
  package let summary: String
  private let make: @Sendable (inout LayoutOptions) throws(LayoutError) -> any LayoutPolicy

  fileprivate init(
    _ name: String, _ summary: String,
    _ make: @escaping @Sendable (inout LayoutOptions) throws(LayoutError) -> any LayoutPolicy
  ) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// Its options.
  package var options: [LayoutOption] {
    guard var options = try? LayoutOptions(layout: name), (try? make(&options)) != nil else {
      return []
    }
    return options.known
  }

  /// The policy with the options in `text`, `key=value,key=value`.
  func policy(options text: Substring) throws(LayoutError) -> any LayoutPolicy {
    var options = try LayoutOptions(layout: name, text: text)
    let policy = try make(&options)
    try options.finish()
    return policy
  }
}

/// All layouts that have a name.
package enum LayoutCatalog {
  /// The layouts, in the order in which they are listed.
  package static let layouts = [
    NamedLayout(
      "auto",
      "participants fill the canvas; a shared screen is large, with the participants beside it",
      AutoLayout.init(options:)),
    NamedLayout(
      "grid", "equal tiles, as many columns as show the most of the pictures",
      GridLayout.init(options:)),
    NamedLayout(
      "best-fit", "rows or columns that fill the canvas, big tiles beside small ones",
      BestFitLayout.init(options:)),
    NamedLayout(
      "multiparty", "two columns, with an odd tile on top; the local participant comes first",
      MultipartyLayout.init(options:)),
    NamedLayout(
      "spotlight",
      "the active speaker large, the local participant or the previous speaker in a corner",
      SpotlightLayout.init(options:)),
    NamedLayout(
      "speaker", "the active speaker large, the others in a filmstrip",
      FilmstripLayout.speaker(options:)),
    NamedLayout(
      "cuts", "full-frame shots of the active speaker, of a dialog, or of a shared screen",
      CutsLayout.init(options:)),
    NamedLayout(
      "prominent", "a carousel with the active speaker in the center",
      ProminentLayout.init(options:)),
    NamedLayout(
      "mosaic", "bands of one, two or three tiles of different sizes",
      MosaicLayout.init(options:)),
    NamedLayout(
      "flow", "lines of tiles, each as wide as its picture's shape asks",
      FlowLayout.init(options:)),
    NamedLayout(
      "pip", "the active speaker on the whole canvas, the previous speaker in a corner",
      PipLayout.init(options:)),
    NamedLayout(
      "horizontal-presentation", "a large tile on top, the others along the bottom",
      FilmstripLayout.horizontalPresentation(options:)),
    NamedLayout(
      "vertical-presentation", "a large tile on the right, the others down the left edge",
      FilmstripLayout.verticalPresentation(options:)),
  ]

  /// The names of all layouts.
  package static var names: [String] { layouts.map(\.name) }

  /// The options of all layouts, as a table.
  package static var markdown: String {
    let rows = layouts.filter { !$0.options.isEmpty }.map { layout in
      let options = layout.options.map {
        "`\($0.key)` \($0.values) (\($0.standard)): \($0.meaning)"
      }
      return "| `\(layout.name)` | \(options.joined(separator: "; ")) |\n"
    }
    return "| Layout | Options, their values, defaults and meanings |\n|---|---|\n"
      + rows.joined()
  }

  /// The layout that `text` asks for: `NAME` or `NAME:key=value,key=value`.
  ///
  /// - Throws: ``LayoutError`` where there is no layout of that name, or an option is not its own.
  package static func policy(_ text: String) throws(LayoutError) -> any LayoutPolicy {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let layout = layouts.first(where: { $0.name == name }) else {
      throw .unknownLayout(name, known: names)
    }
    return try layout.policy(options: parts.count > 1 ? parts[1] : "")
  }
}
