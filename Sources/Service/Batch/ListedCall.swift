import Foundation
import TesseraDelivery
import TesseraDocuments
import TesseraJobs
public import TesseraRequest
package import TesseraStorage
import TesseraSystem

/// A call that lies in a folder of calls.
public struct ListedCall: Hashable, Sendable {
  /// Its folder, archive or session file: a path, or an address in a bucket.
  public let place: String
  /// What that is called, without its ending.
  public var name: String { BatchJob.name(of: place) }

  /// The most calls that are listed below a prefix.
  private static let mostCalls = 1_000_000

  /// The calls that lie in the folder at `prefix` of a bucket.
  ///
  /// - Throws: where it cannot be listed.
  package static func all(
    in bucket: String, _ prefix: String, _ store: Store
  ) throws -> [ListedCall] {
    let key = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
    let folder = Location.object(bucket: bucket, key: key)
    return try store.children(of: folder, limit: mostCalls).filter(isCall).map {
      ListedCall(place: "\(folder)\($0)")
    }
  }

  /// The calls that lie in a folder of this machine, by their names.
  package static func all(in folder: String) -> [ListedCall] {
    FileSystem.names(in: folder).sorted().filter { name in
      isCall(FileSystem.isFolder("\(folder)/\(name)") ? "\(name)/" : name)
    }.map { ListedCall(place: "\(folder)/\($0)") }
  }

  /// Whether what is called `name` in a folder is a call: a folder, an archive or a session file,
  /// but none that a render has beside its output.
  private static func isCall(_ name: String) -> Bool {
    guard !name.hasPrefix("."), !name.hasSuffix(".tessera"), !name.hasSuffix(".tessera/") else {
      return false
    }
    return name.hasSuffix("/") || name.lowercased().hasSuffix(".zip")
      || Document.Syntax(fileName: name) != nil
  }
}

/// The calls that lie below `place`, a folder of this machine or of a bucket (`s3://…`): each folder,
/// archive and session file in it.
///
/// - Parameters:
///   - place: the folder's path or address.
///   - means: how a bucket is reached; keys are those of the environment, or of
///     ``RequestMeans/secrets``.
/// - Returns: the calls in the order of their names.
/// - Throws: ``RenderError`` where it cannot be listed.
public func calls(
  below place: String, by means: RequestMeans = RequestMeans()
) async throws -> [ListedCall] {
  try await WorkUpdates.value(name: "calls") { cancellation throws(RenderError) in
    do {
      switch try Location(place) {
      case .object(let bucket, let key):
        return try ListedCall.all(in: bucket, key, try means.store(cancellation))
      case let location where location.isRemote:
        throw RenderError(
          .usage, "\(location) cannot be listed: give a folder, or one of a bucket.")
      default:
        guard FileSystem.isFolder(place) else {
          throw RenderError(.usage, "\(place) is not a folder; check its name.")
        }
        return ListedCall.all(in: place)
      }
    } catch {
      throw RenderError(delivering: error)
    }
  }
}
