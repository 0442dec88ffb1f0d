import Glibc

/// The few calls into the operating system that Foundation has no exact equal of.
enum FileSystem {
  /// Which file a path leads to, whatever it is called.
  struct Identity: Hashable {
    fileprivate let device: dev_t
    fileprivate let number: ino_t
  }

  /// Nil where there is no file.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }

  /// The size in bytes; 0 where there is no file.
  static func byteCount(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether there is a folder of that name.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether files may be created in the folder.
  static func isWritable(_ folder: String) -> Bool { unsafe access(folder, W_OK | X_OK) == 0 }

  /// Gives a file another name, replacing what had it, in one step. Answers the system's words
  /// where it cannot.
  static func rename(_ path: String, to name: String) -> String? {
    guard unsafe Glibc.rename(path, name) != 0 else { return nil }
    return unsafe String(cString: strerror(errno))
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) { _ = unsafe unlink(path) }
}
