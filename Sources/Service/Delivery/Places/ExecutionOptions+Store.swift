import Foundation
import TesseraMessages
package import TesseraRequest
package import TesseraStorage
package import TesseraSystem
import TesseraTimeline

extension ExecutionOptions {
  /// Reads the file ``ExecutionOptions/secrets``, 1 MiB at most. Returns no secrets if none is
  /// named.
  ///
  /// - Throws: an error if the file cannot be read or a line is invalid. The error never contains
  ///   the file's content.
  package func readSecrets() throws -> FetchSecrets {
    guard let secrets else { return FetchSecrets() }
    let bytes = try RegularFile.bytes(secrets, atMost: 1 << 20)
    let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    return try FetchSecrets(text, file: secrets)
  }

  package var limits: FetchLimits {
    var limits = FetchLimits()
    if let inputSizeLimit { limits.inputSize = inputSizeLimit }
    limits.followsToOtherHosts = followsRedirects ?? false
    return limits
  }

  /// Creates the client of buckets and addresses. Variables of the secrets file override those of
  /// the environment.
  ///
  /// - Parameter cancellation: stops transfers.
  /// - Returns: the client.
  /// - Throws: an error if the secrets file is unreadable, a variable is invalid, or the user has
  ///   no cache folder.
  package func store(_ cancellation: Cancellation) throws -> ObjectStore {
    let environment = ProcessInfo.processInfo.environment
    return try ObjectStore(
      environment: environment.merging(try readSecrets().variables) { $1 },
      cache: try requireFolder(), limits: limits, cancellation: cancellation)
  }

  /// Returns the folder for fetched inputs: `fetchCache`, or `fetched` in the user's cache folder.
  ///
  /// - Throws: a usage error if neither exists.
  package func requireFolder() throws(StorageError) -> String {
    if let fetchCache { return URL(fileURLWithPath: fetchCache).path }
    guard let folder = UserDataFolder.cache.path() else {
      throw StorageError(
        .usage, "there is no folder for fetched inputs: name one with \(option: "fetch-cache").")
    }
    return "\(folder)/fetched"
  }
}
