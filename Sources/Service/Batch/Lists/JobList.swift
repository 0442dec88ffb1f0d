import Foundation
import SystemPackage
package import TesseraDelivery
import TesseraMessages
package import TesseraRequest
import TesseraStorage
package import TesseraSystem

/// The list of a batch: a local file or folder. A list in a bucket is first downloaded into a
/// scratch file.
package struct JobList {
  /// The name of the list as the user gave it.
  package let name: String
  /// The local path of the list.
  package let path: String
  /// True if the list is a folder of calls.
  package let isFolder: Bool
  /// The places of calls in a listed folder that are outputs of the batch itself, and are not
  /// rendered.
  package let leftOut: Set<String>
  private let scratch: ScratchFolder?

  /// The maximum size in bytes of a list in a bucket.
  private static let largest = 256 << 20
  private static let endings: Set = ["jsonl", "ndjson", "csv", "yaml", "yml", "json"]

  /// Opens the list `name`, downloads it if it is remote, and excludes calls that are `outputs` of
  /// the batch itself.
  ///
  /// - Throws: An error if the list does not exist, or if one in a bucket cannot be read.
  package init(
    _ name: String, _ execution: ExecutionOptions,
    without outputs: OwnOutputDetector = OwnOutputDetector([]),
    _ cancellation: Cancellation = Cancellation()
  ) throws {
    let location = try Location(name)
    self.name = "\(location)"
    guard location.isRemote else {
      guard FileOperations.exists(name) else { throw Self.missing(name) }
      (path, scratch) = (name, nil)
      isFolder = FileOperations.isFolder(name)
      let folder = FileOperations.realName(name)
      let calls = isFolder ? ListedCall.all(in: name) : []
      leftOut = Set(
        calls.map(\.location).filter { place in
          outputs.makeUp(
            "\(folder)/\(URL(fileURLWithPath: place).lastPathComponent)", in: folder)
        })
      return
    }
    let cache = try execution.requireFolder()
    try FileOperations.makeFolder(cache)
    let scratch = try ScratchFolder(in: cache)
    let store = try execution.store(cancellation)
    self.scratch = scratch
    let ending = URL(fileURLWithPath: location.name).pathExtension.lowercased()
    guard case .object(let bucket, let key) = location else {
      (path, isFolder, leftOut) = (try store.fetch(location).path, false, [])
      return
    }
    isFolder = !Self.endings.contains(ending) || key.hasSuffix("/")
    path = "\(scratch.path)/jobs.\(isFolder ? "jsonl" : ending)"
    let bytes: [UInt8]
    var own: Set<String> = []
    if isFolder {
      let calls = try ListedCall.all(in: bucket, key, store)
      own = Set(calls.map(\.location).filter(outputs.makeUp(remote:)))
      bytes = try Self.lines(calls.filter { !own.contains($0.location) })
    } else {
      guard let content = try store.bytes(of: location, atMost: Self.largest) else {
        throw Self.missing("\(location)")
      }
      bytes = content
    }
    leftOut = own
    if let number = FileDescriptor.write(Data(bytes), to: path) {
      throw SystemError("write", path, number: number)
    }
  }

  private static func missing(_ list: String) -> RenderError {
    RenderError(.usage, "the list of jobs \(file: list) does not exist; check the name.")
  }

  /// Returns JSON Lines with one job for each of `calls`.
  private static func lines(_ calls: [ListedCall]) throws -> [UInt8] {
    var lines: [UInt8] = []
    for call in calls {
      lines += try JSONEncoder().encode(["id": call.name, "input": call.location])
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}
