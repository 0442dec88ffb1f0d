import Foundation
import Glibc

/// The few calls into the operating system that Foundation has no exact equal of.
package enum FileSystem {
  /// Whether two paths lead to one file, or would if there were one.
  package static func areSame(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    let exist = (unsafe stat(path, &first) == 0, unsafe stat(other, &second) == 0)
    switch exist {
    case (true, true): return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    case (false, false):
      let names = [path, other].map { URL(fileURLWithPath: $0).standardizedFileURL.path }
      return names[0] == names[1]
    default: return false
    }
  }

  /// Whether there is a plain file of that name, or none.
  package static func mayBeReplaced(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// The size in bytes; 0 where there is no file.
  package static func byteCount(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether there is a folder of that name.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether files may be created in the folder.
  package static func isWritable(_ folder: String) -> Bool {
    unsafe access(folder, W_OK | X_OK) == 0
  }

  /// Gives a file another name, replacing what had it, in one step. Answers the system's words
  /// where it cannot.
  package static func rename(_ path: String, to name: String) -> String? {
    guard unsafe Glibc.rename(path, name) != 0 else { return nil }
    return unsafe String(cString: strerror(errno))
  }

  /// Removes a file, if there is one.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }
}
