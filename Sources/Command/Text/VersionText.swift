import TesseraCodecs
import TesseraJobs

/// The text of `--version`: the program's version and those of its libraries.
enum VersionText {
  static var text: String {
    let libraries = LibraryVersions.all.map { "  \($0.name) \($0.version)" }
    return (["tessera \(TesseraVersion.current)"] + libraries).joined(separator: "\n")
  }
}
