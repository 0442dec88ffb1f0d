import Foundation
import TesseraDelivery
import TesseraDocuments
import TesseraJobs
import TesseraMessages
public import TesseraRequest
package import TesseraStorage
import TesseraSystem

/// A call found by listing a folder of calls.
public struct ListedCall: Hashable, Sendable {
  /// The path, or the address in a bucket, of the call's folder, archive or session file.
  public let location: String
  /// The name of the call's folder or file without its extension.
  public var name: String { BatchJob.name(of: location) }

  /// The maximum number of calls listed below a prefix of a bucket.
  private static let mostCalls = 1_000_000

  /// Lists the calls directly below `prefix` in a bucket.
  ///
  /// - Throws: An error if the bucket cannot be listed.
  package static func all(
    in bucket: String, _ prefix: String, _ store: ObjectStore
  ) throws -> [ListedCall] {
    let key = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
    let folder = Location.object(bucket: bucket, key: key)
    return try store.children(of: folder, limit: mostCalls).filter(isCall).map {
      ListedCall(location: "\(folder)\($0)")
    }
  }

  /// Lists the calls directly in a local folder, sorted by name.
  package static func all(in folder: String) -> [ListedCall] {
    FileOperations.names(in: folder).sorted().filter { name in
      isCall(FileOperations.isFolder("\(folder)/\(name)") ? "\(name)/" : name)
    }.map { ListedCall(location: BatchJob.plain("\(folder)/\($0)")) }
  }

  /// Returns true if the folder entry `name` is a call: a folder (its name ends with a slash), a
  /// ZIP archive or a session file. Hidden entries and the `.tessera` work folders of renders are
  /// not calls.
  private static func isCall(_ name: String) -> Bool {
    guard !name.hasPrefix("."), !name.hasSuffix(".tessera"), !name.hasSuffix(".tessera/") else {
      return false
    }
    return name.hasSuffix("/") || name.lowercased().hasSuffix(".zip")
      || DocumentValue.Syntax(fileName: name) != nil
  }
}

/// Lists the calls in `place`, a local folder or a folder of a bucket (`s3://…`). Each folder,
/// archive and session file in it is a call.
///
/// - Parameters:
///   - place: The folder's path or address.
///   - execution: The settings for access to a bucket. Credentials come from the environment or
///     from ``ExecutionOptions/secrets``.
/// - Returns: The calls, sorted by name.
/// - Throws: ``RenderError`` if the folder cannot be listed.
public func calls(
  below place: String, by execution: ExecutionOptions = ExecutionOptions()
) async throws -> [ListedCall] {
  try await BackgroundWorkStream.value(name: "calls") { cancellation throws(RenderError) in
    do {
      switch try Location(place) {
      case .object(let bucket, let key):
        return try ListedCall.all(in: bucket, key, try execution.store(cancellation))
      case let location where location.isRemote:
        throw RenderError(
          .usage, "\(location) cannot be listed: give a folder, or one of a bucket.")
      default:
        guard FileOperations.isFolder(place) else {
          throw RenderError(.usage, "\(place) is not a folder; check its name.")
        }
        return ListedCall.all(in: place)
      }
    } catch {
      throw RenderError(delivering: error)
    }
  }
}
