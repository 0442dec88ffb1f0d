import Foundation
import SystemPackage
import TesseraDelivery
package import TesseraRequest
import TesseraStorage
package import TesseraSystem

/// The list of a batch, a file or a folder of this machine; what lies in a bucket is written into
/// a file first.
package struct JobList {
  /// What the user calls it.
  package let name: String
  /// Where it is.
  package let path: String
  private let scratch: ScratchFolder?

  /// The most bytes of a list in a bucket.
  private static let largest = 256 << 20
  private static let endings: Set = ["jsonl", "ndjson", "csv", "yaml", "yml", "json"]

  /// The list that the user calls `name`, fetched by `means`.
  ///
  /// - Throws: where it is in a bucket and not there, or may not be read.
  package init(
    _ name: String, _ means: RequestMeans, _ cancellation: Cancellation = Cancellation()
  ) throws {
    let location = try Location(name)
    self.name = "\(location)"
    guard location.isRemote else {
      (path, scratch) = (name, nil)
      return
    }
    let cache = try means.requireFolder()
    try FileSystem.makeFolder(cache)
    let scratch = try ScratchFolder(in: cache)
    let store = try means.store(cancellation)
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
      bytes = try Self.lines(try ListedCall.all(in: bucket, key, store))
    }
    if let number = FileDescriptor.write(Data(bytes), to: path) {
      throw SystemError("write", path, number: number)
    }
  }

  /// A job a line for each of `calls`.
  private static func lines(_ calls: [ListedCall]) throws -> [UInt8] {
    var lines: [UInt8] = []
    for call in calls {
      lines += try JSONEncoder().encode(["id": call.name, "input": call.place])
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}
