import CTesseraSystem
import Glibc

extension FileOperations {
  /// Exchanges the names of two files or folders, atomically if the file system supports it.
  /// Returns the system's error text on failure.
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

  /// Renames a file or folder to an unused name.
  ///
  /// Returns `errno` on failure; `EEXIST` if something already has the name.
  package static func renameToFree(_ path: String, as name: String) -> CInt? {
    if unsafe csys_rename_free(path, name) == 0 { return nil }
    guard errno == EINVAL || errno == ENOSYS else { return errno }
    // The file system does not support the call. A hard link does not replace a file either.
    if unsafe Glibc.link(path, name) == 0 {
      remove(path)
      return nil
    }
    if exists(name) { return EEXIST }
    return unsafe Glibc.rename(path, name) == 0 ? nil : errno
  }
}
