import TesseraCodecs
import TesseraJobs

/// What `--version` prints.
enum Versions {
  static var text: String {
    let libraries = LibraryVersions.all.map { "  \($0.name) \($0.version)" }
    return (["tessera \(TesseraVersion.current)"] + libraries).joined(separator: "\n")
  }
}
