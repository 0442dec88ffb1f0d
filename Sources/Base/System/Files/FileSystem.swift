package import Foundation
import Glibc
import TesseraTimeline

/// The few calls into the operating system that Foundation has no exact equal of.
package enum FileSystem {
  /// Whether two paths lead to one file, or would if there were one.
  package static func areSame(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    let exist = (unsafe stat(path, &first) == 0, unsafe stat(other, &second) == 0)
    switch exist {
    case (true, true): return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    case (false, false): return realName(path) == realName(other)
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

  /// Whether there is anything of that name.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

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

  /// Removes a folder with all that is in it.
  package static func removeFolder(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path without links and `..`; nil where there is no such file, and the system says why.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The path, from the root, of what is there or would be: without links, though the last parts of
  /// it may not exist.
  package static func realName(_ path: String) -> String {
    let path = followingLinks(path)
    if let real = realPath(path) { return real }
    let url = URL(fileURLWithPath: path)
    let (folder, name) = (url.deletingLastPathComponent().path, url.lastPathComponent)
    guard folder != path, name != "..", !folder.isEmpty else { return path }
    let real = realName(folder)
    return real == "/" ? "/\(name)" : "\(real)/\(name)"
  }

  /// Where a file of that name would be written: what the link leads to, if it is one.
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

  /// Makes a folder and those above it that are missing, for this user alone where they are
  /// `private`.
  package static func makeFolder(_ path: String, private: Bool = false) throws(SystemError) {
    if isFolder(path) { return }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if parent != path, !parent.isEmpty { try makeFolder(parent, private: `private`) }
    guard unsafe mkdir(path, `private` ? 0o700 : 0o777) == 0 || errno == EEXIST else {
      throw SystemError("make the folder", path)
    }
  }

  /// The names of what is in a folder, in bytewise order; empty where there is none.
  package static func names(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The bytes of a file, or of all files in a folder and its subfolders.
  package static func byteCount(below path: String) -> Int {
    guard isFolder(path) else { return byteCount(of: path) }
    return names(in: path).reduce(0) { $0 + byteCount(below: "\(path)/\($1)") }
  }

  /// Removes a folder, if nothing is in it.
  package static func removeEmptyFolder(_ path: String) { _ = unsafe rmdir(path) }

  /// The bytes of a plain file, which are read when they are needed.
  package static func map(_ path: String) throws(SystemError) -> Data {
    let file = try RegularFile(path)
    let size = try file.byteCount
    guard size > 0 else { return Data() }
    let base = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { throw SystemError("map", path) }
    return unsafe Data(bytesNoCopy: base, count: size, deallocator: .unmap)
  }

  /// Gives a file a further name, in place of what had that.
  package static func link(_ path: String, at name: String) throws(SystemError) {
    remove(name)
    guard unsafe Glibc.link(path, name) == 0 else { throw SystemError("make", name) }
  }

  /// Removes a file, if there is one.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }
}
