import CTesseraSystem

extension FileSystem {
  /// Gives two folders each other's name, in one step where the file system can. Returns the
  /// system's words where it cannot at all.
  package static func exchange(_ path: String, with other: String) -> String? {
    if unsafe csys_exchange(path, other) == 0 { return nil }
    let aside = path + ".old"
    if let why = rename(other, to: aside) { return why }
    if let why = rename(path, to: other) {
      _ = rename(aside, to: other)
      return why
    }
    return rename(aside, to: path)
  }
}
