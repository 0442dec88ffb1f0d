package import TesseraMedia

/// What kind of file is made.
package struct OutputKind: Sendable {
  /// What messages call it.
  package let name: String
  /// The format.
  package let container: OutputContainer

  /// A file of that format, which messages call `name`.
  package init(_ container: OutputContainer, name: String) {
    (self.container, self.name) = (container, name)
  }

  /// That of the file `path`.
  package init(path: String) { self.init(OutputContainer(path: path) ?? .mp4, name: path) }
}
