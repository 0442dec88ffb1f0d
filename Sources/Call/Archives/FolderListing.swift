import Foundation
import TesseraMessages
import TesseraRecordings
import TesseraSystem

/// The files of a folder, recursively, in bytewise order of their paths.
struct FolderListing {
  private(set) var files: [RecordingSource.File] = []
  private(set) var notes: [UserMessage] = []
  /// True if the folder has more files than the maximum.
  private(set) var isCut = false
  private let root: String
  private let maximumDepth: Int
  private let maximumFiles: Int

  /// Lists `root` recursively, without hidden files and without the work folders of renders.
  ///
  /// A symbolic link is listed if it points to a file inside `root`. Links to folders are not
  /// followed.
  init(_ root: String, maximumDepth: Int, maximumFiles: Int) {
    self.root = URL(fileURLWithPath: root).resolvingSymlinksInPath().path
    self.maximumDepth = maximumDepth
    self.maximumFiles = maximumFiles
    list("", depth: 0)
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private mutating func list(_ folder: String, depth: Int) {
    let path = folder.isEmpty ? root : "\(root)/\(folder)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      guard !isCut else { return }
      guard !name.hasPrefix("."), !name.hasSuffix(".tessera") else { continue }
      add(folder.isEmpty ? name : "\(folder)/\(name)", depth: depth)
    }
  }

  private mutating func add(_ path: String, depth: Int) {
    let full = "\(root)/\(path)"
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: full) else { return }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory:
      guard depth < maximumDepth else {
        notes.append("\(file: path) is skipped: it is more than \(maximumDepth) folders deep.")
        return
      }
      list(path, depth: depth + 1)
    case .typeRegular:
      append(path)
    case .typeSymbolicLink:
      let target = URL(fileURLWithPath: full).resolvingSymlinksInPath().path
      let facts = try? FileManager.default.attributesOfItem(atPath: target)
      guard facts?[.type] as? FileAttributeType == .typeRegular else { return }
      guard target.hasPrefix("\(root)/") else {
        notes.append("\(file: path) is skipped: the link leads out of the folder.")
        return
      }
      append(path)
    default: return
    }
  }

  private mutating func append(_ path: String) {
    guard files.count < maximumFiles else {
      isCut = true
      return
    }
    files.append(RecordingSource.File(path, size: FileOperations.byteCount(of: "\(root)/\(path)")))
  }
}
