import ArgumentParser
import Foundation
import TesseraStorage
import TesseraSystem

/// How inputs in buckets and at addresses are fetched.
struct FetchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The most that is fetched for one s3:// or https:// input (256G).", valueName: "bytes"))
  var maxInputSize: ByteCount?

  @Flag(help: "Follow https:// inputs to other hosts.")
  var allowRedirects = false

  @Option(
    help: ArgumentHelp(
      "Where fetched inputs are kept, about 64 GB (the user's cache folder).", valueName: "dir"),
    completion: .directory)
  var fetchCache: String?

  @Option(
    help: ArgumentHelp(
      """
      A file with what fetching needs and no command line may show: NAME=value of the \
      environment, and whole addresses for those of a plan; one a line.
      """, valueName: "file"),
    completion: .file())
  var secrets: String?

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
    if let maxInputSize { limits.inputSize = maxInputSize.value }
    limits.followsToOtherHosts = allowRedirects
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

extension FetchOptions {
  private static let names: Set = ["max-input-size", "allow-redirects", "fetch-cache", "secrets"]

  /// What a job's options say of fetching.
  ///
  /// - Throws: where a value is wrong.
  init(of settings: [BatchWords.Setting]) throws { self = try .parse(Self.words(settings)) }

  /// Those of a job's options, as words of a command line.
  static func words(_ settings: [BatchWords.Setting]) -> [String] {
    settings.filter { names.contains($0.name) }.map(\.word)
  }
}

/// A command whose inputs may be fetched.
protocol FetchingCommand {
  var fetch: FetchOptions { get }
}

extension RenderCommand: FetchingCommand { var fetch: FetchOptions { picture.call.source.fetch } }
extension PlanCommand: FetchingCommand { var fetch: FetchOptions { picture.call.source.fetch } }
extension PreviewCommand: FetchingCommand { var fetch: FetchOptions { picture.call.source.fetch } }
extension TimelineCommand: FetchingCommand { var fetch: FetchOptions { picture.call.source.fetch } }
extension StitchCommand: FetchingCommand { var fetch: FetchOptions { piece.fetch } }
extension ImportCommand: FetchingCommand { var fetch: FetchOptions { source.fetch } }
extension InspectCommand: FetchingCommand { var fetch: FetchOptions { source.fetch } }
