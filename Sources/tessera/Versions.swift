import Media
import Rendering

/// What `--version` prints.
enum Versions {
  static var text: String {
    let libraries = LibraryVersions.all.map { "  \($0.name) \($0.version)" }
    return (["tessera \(Tessera.version)"] + libraries).joined(separator: "\n")
  }
}
