/// Finds the file that a manifest refers to, even if its path or extension has changed.
struct ManifestFileFinder: Sendable {
  private let paths: Set<String>
  private let names: [String: [String]]
  private let stems: [String: [String]]

  init(_ files: [RecordingSource.File]) {
    paths = Set(files.map(\.path))
    names = Dictionary(grouping: files.map(\.path)) { FileNameClassifier.fileName($0).lowercased() }
    let media = files.map(\.path).filter { FileNameClassifier.kind($0) != nil }
    stems = Dictionary(grouping: media) { FileNameClassifier.stem($0).lowercased() }
  }

  func contains(_ path: String) -> Bool { paths.contains(path) }

  /// Returns the listed file that `name` refers to, or the last component of `name` if there is
  /// none.
  ///
  /// Candidates, in order: the path relative to the manifest's folder, the path relative to the
  /// root, a file of that name, and a media file with another extension. Among several, the one
  /// with the most enclosing folders in common wins. The result never leads out of the folder,
  /// whatever a manifest contains.
  func path(_ name: String, beside manifest: String = "") -> String {
    if let path = find(name, beside: manifest) { return path }
    let last = String(FileNameClassifier.fileName(name).unicodeScalars.filter { $0 != "\0" })
    return ["", ".", ".."].contains(last) ? "a file without a name" : last
  }

  /// Returns the listed file that `name` refers to, found as by ``path(_:beside:)``; `nil` if there
  /// is none.
  func find(_ name: String, beside manifest: String = "") -> String? {
    let folder = FileNameClassifier.folders(manifest).joined(separator: "/")
    let parts = FileNameClassifier.parts(name).filter { $0 != "." }.map(String.init)
    guard let last = parts.last, !parts.contains("..") else { return nil }
    let path = parts.joined(separator: "/")
    let beside = folder.isEmpty ? path : "\(folder)/\(path)"
    for candidate in [beside, path] where paths.contains(candidate) { return candidate }
    return Self.best(names[last.lowercased()] ?? [], parts)
      ?? Self.best(stems[FileNameClassifier.stem(last).lowercased()] ?? [], parts)
  }

  /// Returns the media file whose name without extension contains `text`, ignoring case; the
  /// alphabetically first of several.
  func containing(_ text: String) -> String? {
    let wanted = text.lowercased()
    let found = stems.filter { $0.key.contains(wanted) }.min { $0.key < $1.key }
    return found?.value.first
  }

  /// Returns the candidate with the most enclosing folders in common with `parts`; the first on a
  /// tie.
  private static func best(_ candidates: [String], _ parts: [String]) -> String? {
    func common(_ path: String) -> Int {
      let folders = FileNameClassifier.folders(path).reversed()
      return zip(folders, parts.dropLast().reversed()).prefix { $0 == $1 }.count
    }
    return candidates.max { common($0) < common($1) || common($0) == common($1) && $0 > $1 }
  }
}
