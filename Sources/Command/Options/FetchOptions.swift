import ArgumentParser
import Foundation
import TesseraStorage

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

  var limits: StoreLimits {
    var limits = StoreLimits()
    if let maxInputSize { limits.inputSize = maxInputSize.value }
    limits.followsToOtherHosts = allowRedirects
    return limits
  }

  /// The folder for what is fetched; nil where the user has none.
  func folder(_ environment: [String: String]) -> String? {
    if let fetchCache { return URL(fileURLWithPath: fetchCache).path }
    let variable = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base = variable ?? environment["HOME"].map { "\($0)/.cache" }
    return base.map { "\($0)/tessera/fetched" }
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
extension InspectCommand: FetchingCommand { var fetch: FetchOptions { source.fetch } }
