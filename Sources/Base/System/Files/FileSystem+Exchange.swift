import CTesseraSystem
import Glibc

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

  /// Gives a file or folder a name that nothing has. Returns the system's number of the error where
  /// it cannot, `EEXIST` where something has that name by now.
  package static func renameToFree(_ path: String, as name: String) -> CInt? {
    if unsafe csys_rename_free(path, name) == 0 { return nil }
    guard errno == EINVAL || errno == ENOSYS else { return errno }
    // The file system knows no such call: a link takes no other file's name either.
    if unsafe Glibc.link(path, name) == 0 {
      remove(path)
      return nil
    }
    if exists(name) { return EEXIST }
    return unsafe Glibc.rename(path, name) == 0 ? nil : errno
  }
}
