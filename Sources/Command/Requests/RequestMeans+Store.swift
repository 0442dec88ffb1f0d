import Foundation
import TesseraJobs
import TesseraPlanning
import TesseraStorage
import TesseraSystem

extension RequestMeans {
  /// What the file of secrets says.
  ///
  /// - Throws: where it cannot be read, without its content.
  func readSecrets() throws -> Secrets {
    guard let secrets else { return Secrets() }
    let bytes = try RegularFile.bytes(secrets, atMost: 1 << 20)
    return try Secrets(String(decoding: bytes, as: UTF8.self), file: secrets)
  }

  var limits: StoreLimits {
    var limits = StoreLimits()
    if let inputSizeLimit { limits.inputSize = inputSizeLimit }
    limits.followsToOtherHosts = followsRedirects ?? false
    return limits
  }

  /// What fetches and uploads, until it is cancelled.
  ///
  /// - Throws: where a variable of the environment contradicts itself.
  func store(_ cancellation: Cancellation) throws -> Store {
    let environment = ProcessInfo.processInfo.environment
    return try Store(
      environment: environment.merging(try readSecrets().variables) { $1 },
      cache: try requireFolder(), limits: limits, cancellation: cancellation)
  }

  /// The folder for what is fetched.
  ///
  /// - Throws: where the user has none.
  func requireFolder() throws(StorageError) -> String {
    guard let folder = folder(ProcessInfo.processInfo.environment) else {
      throw StorageError(
        .usage, "there is no folder for what is fetched: name one with --fetch-cache.")
    }
    return folder
  }

  private func folder(_ environment: [String: String]) -> String? {
    if let fetchCache { return URL(fileURLWithPath: fetchCache).path }
    let variable = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base = variable ?? environment["HOME"].map { "\($0)/.cache" }
    return base.map { "\($0)/tessera/fetched" }
  }
}

extension RequestMeans {
  private static let fetching: Set = [
    "max-input-size", "allow-redirects", "fetch-cache", "secrets",
  ]

  /// Those of a job's options that are about fetching.
  static func fetching(_ settings: [BatchJob.Setting]) -> [BatchJob.Setting] {
    settings.filter { fetching.contains($0.name) }
  }

  /// What a job's options say of fetching.
  ///
  /// - Throws: where a value is wrong.
  init(of settings: [BatchJob.Setting]) throws(RenderError) {
    var request = RenderRequest([], to: [])
    for setting in Self.fetching(settings) {
      do throws(OptionError) {
        try request.set(setting.name, [setting.value].compactMap { $0 })
      } catch {
        throw RenderError(.usage, "--\(error)")
      }
    }
    self = request.means
  }
}
