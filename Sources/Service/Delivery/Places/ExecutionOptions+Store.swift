import Foundation
package import TesseraRequest
package import TesseraStorage
package import TesseraSystem
import TesseraTimeline

extension ExecutionOptions {
  /// What the file of secrets says.
  ///
  /// - Throws: where it cannot be read, without its content.
  package func readSecrets() throws -> Secrets {
    guard let secrets else { return Secrets() }
    let bytes = try RegularFile.bytes(secrets, atMost: 1 << 20)
    let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    return try Secrets(text, file: secrets)
  }

  package var limits: StoreLimits {
    var limits = StoreLimits()
    if let inputSizeLimit { limits.inputSize = inputSizeLimit }
    limits.followsToOtherHosts = followsRedirects ?? false
    return limits
  }

  /// What fetches and uploads, until it is cancelled.
  ///
  /// - Throws: where a variable of the environment contradicts itself.
  package func store(_ cancellation: Cancellation) throws -> Store {
    let environment = ProcessInfo.processInfo.environment
    return try Store(
      environment: environment.merging(try readSecrets().variables) { $1 },
      cache: try requireFolder(), limits: limits, cancellation: cancellation)
  }

  /// The folder for what is fetched.
  ///
  /// - Throws: where the user has none.
  package func requireFolder() throws(StorageError) -> String {
    if let fetchCache { return URL(fileURLWithPath: fetchCache).path }
    guard let folder = UserFolder.cache.path() else {
      throw StorageError(
        .usage, "there is no folder for fetched inputs: name one with \(option: "fetch-cache").")
    }
    return "\(folder)/fetched"
  }
}
