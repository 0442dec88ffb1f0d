import ArgumentParser
import Foundation
import TesseraArchives
import TesseraRecordings
import TesseraRendering

/// How a call is read.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The recorder whose format the input has (found out).",
      discussion: Importers.formats.joined(separator: ", "), valueName: "name"),
    completion: .list(Importers.formats))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Who is behind identifiers: CSV, JSON or YAML with id, name, avatar, local, same-as.",
      valueName: "file"),
    completion: .file())
  var people: String?

  @Option(
    help: ArgumentHelp("The most that is unpacked of an archive (64G).", valueName: "bytes"))
  var maxArchiveSize: ByteCount?

  /// The call that `inputs` are, of whose recordings some may be missing where it `allowsMissing`.
  func open(_ inputs: [String], allowsMissing: Bool = false) throws(RenderError) -> CallInput {
    var limits = ArchiveLimits()
    if let maxArchiveSize { limits.bytes = Int64(maxArchiveSize.value) }
    return try CallInput.open(
      inputs, format: format, people: people, workFolder: Self.unpackFolder, limits: limits,
      allowsMissing: allowsMissing, readers: EngineOptions.readers(),
      cancellation: Interrupts.cancellation)
  }

  /// Where archives are unpacked.
  private static let unpackFolder =
    "\(NSTemporaryDirectory())tessera.\(ProcessInfo.processInfo.processIdentifier)"

  /// Removes what this process has unpacked, if anything.
  static func removeUnpacked() { try? FileManager.default.removeItem(atPath: unpackFolder) }
}
