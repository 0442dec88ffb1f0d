package import Foundation
import Glibc
import TesseraTimeline

/// File operations that Foundation has no exact equivalent of.
package enum FileOperations {
  /// Returns true if two paths refer to the same file, existing or not.
  package static func areSame(_ path: String, _ other: String) -> Bool {
    switch (status(of: path), status(of: other)) {
    case (let first?, let second?):
      first.st_dev == second.st_dev && first.st_ino == second.st_ino
    case (nil, nil): realName(path) == realName(other)
    default: false
    }
  }

  /// Returns the status of the file at `path`, with links followed; `nil` if there is none.
  package static func status(of path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  /// Returns true if `path` is a plain file or does not exist.
  package static func mayBeReplaced(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT == S_IFREG } ?? true
  }

  /// Returns the size of a file in bytes; 0 if it does not exist.
  package static func byteCount(of path: String) -> Int {
    status(of: path).map { Int($0.st_size) } ?? 0
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Returns true if `path` is a folder or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Returns true if files may be created in `folder`.
  package static func isWritable(_ folder: String) -> Bool {
    unsafe access(folder, W_OK | X_OK) == 0
  }

  /// Renames a file atomically, replacing any file with that name. Returns the system's error text
  /// on failure.
  package static func rename(_ path: String, to name: String) -> String? {
    guard unsafe Glibc.rename(path, name) != 0 else { return nil }
    return unsafe String(cString: strerror(errno))
  }

  /// Removes a folder with its content; ignores errors.
  package static func removeFolder(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path without links and `..`; `nil` if the file does not exist, with the reason in
  /// `errno`.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns the absolute path without links of an existing or future file. The last components may
  /// be missing.
  package static func realName(_ path: String) -> String {
    let path = followingLinks(path)
    if let real = realPath(path) { return real }
    let url = URL(fileURLWithPath: path)
    let (folder, name) = (url.deletingLastPathComponent().path, url.lastPathComponent)
    guard folder != path, name != "..", !folder.isEmpty else { return path }
    let real = realName(folder)
    return real == "/" ? "/\(name)" : "\(real)/\(name)"
  }

  /// Returns the path to which a file of that name would be written: the target of the link if
  /// `path` is one.
  package static func followingLinks(_ path: String) -> String {
    var path = path
    for _ in 0..<32 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return path
      }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      path = target.isAbsolutePath ? target : "\(folder)/\(target)"
    }
    return path
  }

  /// Creates a folder and its missing parents. If `private`, only this user may access them.
  package static func makeFolder(_ path: String, private: Bool = false) throws(SystemError) {
    if isFolder(path) { return }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if parent != path, !parent.isEmpty { try makeFolder(parent, private: `private`) }
    guard unsafe mkdir(path, `private` ? 0o700 : 0o777) == 0 || errno == EEXIST else {
      throw SystemError("make the folder", path)
    }
  }

  /// Returns the names of a folder's entries in bytewise order; empty if the folder does not exist.
  package static func names(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the size in bytes of a file, or of all files in a folder and its subfolders.
  package static func byteCount(below path: String) -> Int {
    guard isFolder(path) else { return byteCount(of: path) }
    return names(in: path).reduce(0) { $0 + byteCount(below: "\(path)/\($1)") }
  }

  package static func removeEmptyFolder(_ path: String) { _ = unsafe rmdir(path) }

  /// Maps the content of a plain file, which is read from the disk on demand.
  package static func map(_ path: String) throws(SystemError) -> Data {
    let file = try RegularFile(path)
    let size = try file.byteCount
    guard size > 0 else { return Data() }
    let base = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { throw SystemError("map", path) }
    return unsafe Data(bytesNoCopy: base, count: size, deallocator: .unmap)
  }

  /// Creates a hard link to a file, replacing any file called `name`.
  package static func link(_ path: String, at name: String) throws(SystemError) {
    remove(name)
    guard unsafe Glibc.link(path, name) == 0 else { throw SystemError("make", name) }
  }

  /// Removes a file if it exists.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }
}
