/// A policy that can be asked for by name.
public protocol NamedLayout: LayoutPolicy {
  /// Its name on the command line and in files.
  static var name: String { get }
  /// What it does, in one line.
  static var summary: String { get }

  /// The layout with the given options; takes those that it knows.
  init(options: inout LayoutOptions) throws(LayoutError)
}

/// All layouts that have a name.
public enum LayoutCatalog {
  /// The layouts, in the order in which they are listed.
  public static let layouts: [any NamedLayout.Type] = [
    GridLayout.self, MultipartyLayout.self,
  ]

  /// The names of all layouts.
  public static var names: [String] { layouts.map { $0.name } }

  /// The layout that `text` asks for: `NAME` or `NAME:key=value,key=value`.
  ///
  /// - Throws: ``LayoutError`` where there is no layout of that name, or an option is not its own.
  public static func policy(_ text: String) throws(LayoutError) -> any LayoutPolicy {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let layout = layouts.first(where: { $0.name == name }) else {
      throw .unknownLayout(name, known: names)
    }
    var options = try LayoutOptions(layout: name, text: parts.count > 1 ? parts[1] : "")
    let policy = try layout.init(options: &options)
    try options.finish()
    return policy
  }
}
