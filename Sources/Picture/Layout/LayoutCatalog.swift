/// A layout that a user can select by name.
package struct NamedLayout: Sendable {
  /// The layout's name on the command line and in files.
  package let name: String
  /// A one-line description of the layout.
  package let summary: String
  private let make: @Sendable (inout LayoutOptionParser) throws(LayoutError) -> any LayoutPolicy

  fileprivate init(
    _ name: String, _ summary: String,
    _ make: @escaping @Sendable (inout LayoutOptionParser) throws(LayoutError) -> any LayoutPolicy
  ) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// The options that the layout accepts.
  package var options: [LayoutParameter] {
    guard var options = try? LayoutOptionParser(layout: name), (try? make(&options)) != nil else {
      return []
    }
    return options.known
  }

  /// Creates the policy with the options in `text`, written `key=value,key=value`.
  func policy(options text: Substring) throws(LayoutError) -> any LayoutPolicy {
    var options = try LayoutOptionParser(layout: name, text: text)
    let policy = try make(&options)
    try options.finish()
    return policy
  }
}

/// The list of all layouts with a name.
package enum LayoutCatalog {
  /// All layouts, in the order in which help lists them.
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

  package static var names: [String] { layouts.map(\.name) }

  /// The options of all layouts as a Markdown table, for the guide.
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

  /// Creates the policy that `text` selects, `NAME` or `NAME:key=value,key=value`.
  ///
  /// - Throws: ``LayoutError`` if no layout has that name or an option is invalid.
  package static func policy(_ text: String) throws(LayoutError) -> any LayoutPolicy {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let layout = layouts.first(where: { $0.name == name }) else {
      throw .unknownLayout(name, known: names)
    }
    return try layout.policy(options: parts.count > 1 ? parts[1] : "")
  }
}
