/// Finds the file that a manifest means.
struct FileIndex: Sendable {
  private let paths: Set<String>
  private let names: [String: [String]]
  private let stems: [String: [String]]

  init(_ files: [RecordingSource.File]) {
    paths = Set(files.map(\.path))
    names = Dictionary(grouping: files.map(\.path)) { MediaNames.fileName($0).lowercased() }
    let media = files.map(\.path).filter { MediaNames.kind($0) != nil }
    stems = Dictionary(grouping: media) { MediaNames.stem($0).lowercased() }
  }

  /// Whether that path is listed.
  func contains(_ path: String) -> Bool { paths.contains(path) }

  /// The file that `name` means: a path from the folder or from the manifest's own, else the only
  /// one whose path ends like it, else one of its name, else one that differs in its extension.
  /// Where there is none, only the last part of `name`: what a manifest says never leads out of the
  /// folder.
  func path(_ name: String, beside manifest: String = "") -> String {
    if let path = find(name, beside: manifest) { return path }
    let last = String(MediaNames.fileName(name).unicodeScalars.filter { $0 != "\0" })
    return ["", ".", ".."].contains(last) ? "a file without a name" : last
  }

  /// The same, but nil where there is none.
  func find(_ name: String, beside manifest: String = "") -> String? {
    let folder = MediaNames.folders(manifest).joined(separator: "/")
    let parts = MediaNames.parts(name).filter { $0 != "." }.map(String.init)
    guard let last = parts.last, !parts.contains("..") else { return nil }
    let path = parts.joined(separator: "/")
    let beside = folder.isEmpty ? path : "\(folder)/\(path)"
    for candidate in [beside, path] where paths.contains(candidate) { return candidate }
    return Self.best(names[last.lowercased()] ?? [], parts)
      ?? Self.best(stems[MediaNames.stem(last).lowercased()] ?? [], parts)
  }

  /// The first media file in whose name `text` stands.
  func containing(_ text: String) -> String? {
    let wanted = text.lowercased()
    let found = stems.filter { $0.key.contains(wanted) }.min { $0.key < $1.key }
    return found?.value.first
  }

  /// The candidate that has the most folders in common with `parts`, from the end; the first of
  /// several.
  private static func best(_ candidates: [String], _ parts: [String]) -> String? {
    func common(_ path: String) -> Int {
      let folders = MediaNames.folders(path).reversed()
      return zip(folders, parts.dropLast().reversed()).prefix { $0 == $1 }.count
    }
    return candidates.max { common($0) < common($1) || common($0) == common($1) && $0 > $1 }
  }
}
