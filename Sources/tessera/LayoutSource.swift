import Layout

/// What `--layout` names: a layout with its options.
enum LayoutSource {
  /// The policy that `text` asks for.
  static func policy(_ text: String) throws -> any LayoutPolicy {
    try LayoutCatalog.policy(text)
  }
}
