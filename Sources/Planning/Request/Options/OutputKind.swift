package import TesseraJobs
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

extension RenderError {
  /// A file of sound was to carry captions.
  package static func captionsInSound(_ path: String) -> RenderError {
    RenderError(
      .usage,
      "\(path): a file of sound carries no captions; leave out --captions-track, or give -o the "
        + "ending of a video.")
  }
}
