import ArgumentParser
import Foundation
import Glibc
import TesseraArchives
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraSystem

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
      "The people that identifiers stand for: CSV, JSON or YAML with id, name, avatar, local, same-as.",
      valueName: "file"),
    completion: .file())
  var people: String?

  @Option(
    help: ArgumentHelp("The most that is unpacked of an archive (64G).", valueName: "bytes"))
  var maxArchiveSize: ByteCount?

  @OptionGroup
  var fetch: FetchOptions

  /// The call that `inputs` are, of whose recordings some may be missing where it `allowsMissing`;
  /// `printer` shows how far reading them is.
  func open(
    _ inputs: [String], allowsMissing: Bool = false, printer: ProgressPrinter
  ) throws(RenderError) -> CallInput {
    var limits = ArchiveLimits()
    if let maxArchiveSize { limits.bytes = Int64(maxArchiveSize.value) }
    let workFolder: String
    do throws(SystemError) {
      workFolder = try inputs.contains(where: Source.isArchive) ? Self.unpackFolder() : ""
    } catch {
      throw RenderError(
        error.mayPass ? .temporary : .failure,
        "\(error); make room there, or set TMPDIR to another folder.")
    }
    return try CallInput.open(
      inputs, format: format, people: people, workFolder: workFolder, limits: limits,
      allowsMissing: allowsMissing, readers: EngineOptions.readers(), progress: printer.planning,
      cancellation: Interrupts.cancellation)
  }

  /// The folder that archives are unpacked into, until it is removed.
  private static let scratch = Monitor(ScratchFolder?.none)
  private static let isKept = Monitor(false)

  /// What is unpacked from now on stays: the workers of a plan come later.
  static func keepUnpacked() { isKept.update { $0 = true } }

  /// A new folder to unpack archives into.
  private static func unpackFolder() throws(SystemError) -> String {
    if isKept.withLock({ $0 }) { return "\(NSTemporaryDirectory())tessera.\(getpid())" }
    let made = try ScratchFolder()
    scratch.update { $0 = made }
    return made.path
  }

  /// Removes what this process has unpacked, if anything, unless it is to stay.
  static func removeUnpacked() { scratch.update { $0 = nil } }
}
