import Foundation

/// A file in the making: it has a temporary name in the output's folder until it is complete, so
/// that an earlier file of the same name stays whole until then.
struct OutputFile: ~Copyable {
  /// Where the finished file will be.
  let path: String
  /// Where it is written.
  let temporaryPath: String
  private var isCommitted = false

  /// - Throws: where the output's folder does not exist or cannot be written to.
  init(_ path: String) throws(RenderError) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    guard FileSystem.isFolder(folder) else {
      throw RenderError(
        .failure, "cannot write \(path): the folder \(folder) does not exist; create it first.")
    }
    guard FileSystem.isWritable(folder) else {
      throw RenderError(
        .failure, "cannot write \(path): the folder \(folder) may not be written to.")
    }
    if FileSystem.isFolder(path) {
      throw RenderError(.failure, "cannot write \(path): it is a folder; name a file in it.")
    }
    let process = ProcessInfo.processInfo.processIdentifier
    temporaryPath = "\(folder)/.\(url.lastPathComponent).\(process).part"
  }

  deinit {
    if !isCommitted { FileSystem.remove(temporaryPath) }
  }

  /// Gives the finished file its name; from then on it stays.
  mutating func commit() throws(RenderError) {
    if let why = FileSystem.rename(temporaryPath, to: path) {
      throw RenderError(.failure, "cannot give the finished file the name \(path): \(why).")
    }
    isCommitted = true
  }
}
