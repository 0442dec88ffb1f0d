import Foundation
import SystemPackage
import TesseraArchives
import TesseraDelivery
import TesseraDocuments
import TesseraJobs
import TesseraPlanning
import TesseraRecordings
import TesseraStorage
import TesseraSystem

/// The list of a batch, a file or a folder of this machine; what lies in a bucket is written into
/// a file first.
struct JobList {
  /// What the user calls it.
  let name: String
  /// Where it is.
  let path: String
  private let scratch: ScratchFolder?

  /// The most bytes of a list in a bucket, and the most calls below a prefix.
  private static let (largest, mostCalls) = (256 << 20, 1_000_000)
  private static let endings: Set = ["jsonl", "ndjson", "csv", "yaml", "yml", "json"]

  /// The list that the user calls `name`, fetched with the fetching options among `settings`.
  ///
  /// - Throws: where it is in a bucket and not there, or may not be read.
  init(_ name: String, _ settings: [BatchJob.Setting]) throws {
    let location = try Location(name)
    self.name = "\(location)"
    guard location.isRemote else {
      (path, scratch) = (name, nil)
      return
    }
    let options = try RequestMeans(of: settings)
    let cache = try options.requireFolder()
    try FileSystem.makeFolder(cache)
    let scratch = try ScratchFolder(in: cache)
    let store = try options.store(Interrupts.cancellation)
    self.scratch = scratch
    let ending = URL(fileURLWithPath: location.name).pathExtension.lowercased()
    guard case .object(let bucket, let key) = location else {
      path = try store.fetch(location).path
      return
    }
    let isList = Self.endings.contains(ending) && !key.hasSuffix("/")
    path = "\(scratch.path)/jobs.\(isList ? ending : "jsonl")"
    let bytes: [UInt8]
    if isList {
      guard let content = try store.bytes(of: location, atMost: Self.largest) else {
        throw RenderError(.usage, "the list of jobs \(location) is not there; check its name.")
      }
      bytes = content
    } else {
      let folder = key.isEmpty || key.hasSuffix("/") ? key : key + "/"
      let prefix = Location.object(bucket: bucket, key: folder)
      bytes = try Self.lines(try store.children(of: prefix, limit: Self.mostCalls), of: prefix)
    }
    if let number = FileDescriptor.write(Data(bytes), to: path) {
      throw SystemError("write", path, number: number)
    }
  }

  /// A job a line for each call of those that lie at `names` below `prefix`.
  private static func lines(_ names: [String], of prefix: Location) throws -> [UInt8] {
    var lines: [UInt8] = []
    for name in names where isCall(name) {
      lines += try JSONEncoder().encode([
        "id": BatchJob.name(of: name), "input": "\(prefix)\(name)",
      ])
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }

  /// Whether what is called `name` in a folder is a call: a folder, an archive or a session file,
  /// but none that a render has beside its output.
  static func isCall(_ name: String) -> Bool {
    guard !name.hasPrefix("."), !name.hasSuffix(".tessera"), !name.hasSuffix(".tessera/") else {
      return false
    }
    return name.hasSuffix("/") || Source.isArchive(name) || Document.Syntax(fileName: name) != nil
  }
}
