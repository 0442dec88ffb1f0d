import ArgumentParser
import Foundation
import TesseraArchives
import TesseraDelivery
import TesseraDocuments
import TesseraJobs
import TesseraLayout
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// `tessera import`.
struct ImportCommand: CallCommand, RequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Writes what a recording is understood as into a session file, to be edited.",
    usage: "tessera import INPUT... -o session.yaml [options]",
    discussion: """
      A session file is rendered as its recording is: "tessera render session.yaml". Its paths are \
      relative to its own folder; of a call in a bucket it names the objects. With --align it says \
      where every file begins, and how fast its clock is; it exits with 3 where that is not sure. With \
      --shots it holds the shots of the layout cuts, which can be moved, changed and given back.
      """)

  @Argument(
    help: ArgumentHelp(
      "A folder, manifest or session file of a call, or media files.", valueName: "input"),
    completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to make.", valueName: "session.yaml|.json"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var output: String

  @OptionGroup(title: "Call")
  var source: SourceOptions

  @Flag("overwrite")
  var overwrite = false

  @Option("offset") var offset: [String]

  @OptionGroup(title: "Call")
  var alignment: AlignOption

  @Flag(help: "Write the shots that the layout cuts would show, to be edited: shots.")
  var shots = false

  @OptionGroup
  var cache: CacheOptions

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  mutating func validate() throws {
    try parse()
    guard Document.Syntax(fileName: output) != nil else {
      throw ValidationError(
        "the name \(output) does not say how to write a session file: give -o one that ends in .yaml or "
          + ".json.")
    }
  }

  func request() throws -> RenderRequest {
    try refuseArchives()
    try refuseSignatures()
    return request(of: inputs)
  }

  var places: [RequestPlace] { [RequestPlace(output)] }

  func run(_ request: RenderRequest, _ paths: [String], _: RemoteFiles?) throws {
    let output = paths[0]
    let protected = request.inputFiles
    try OutputFile.require(output, protecting: protected, overwriting: overwrite)
    let printer = progress.printer
    defer { printer.finish() }
    var input = try request.open(printer)
    var losses: [Loss] = []
    let offsets = request.call.offsets ?? []
    let stated = offsets.isEmpty ? nil : input.usualAlignment
    if let align = request.call.alignment ?? stated ?? input.placement() {
      (input, losses) = try input.aligned(
        align, offsets: offsets, cache: request.means.scans, readers: EngineOptions.readers(),
        progress: printer.planning,
        cancellation: Interrupts.cancellation)
    }
    if shots {
      var rendition = try RenditionOptions().rendition(of: input)
      rendition.layout = CutsLayout()
      var call = try request.callRequest(printer)
      call.input = input
      input = input.directed(
        as: try Planner.plan(rendition, of: call, cancellation: Interrupts.cancellation))
    }
    printer.finish()
    var file = try OutputFile(
      output, protecting: protected + input.listing.map { input.path(of: $0) },
      overwriting: overwrite)
    for note in input.notes { Terminal.say("note: \(note)") }
    for path in input.missingFiles {
      Terminal.say("warning: \(path) is not there; put it there before you render.")
    }
    for loss in losses { Terminal.say("warning: \(loss.sentence)") }
    let session = input.session(at: output, name: KnownNames.name(of:))
    let isJSON = output.lowercased().hasSuffix(".json")
    let text = isJSON ? session.json(isIndented: true) + "\n" : session.yaml
    try file.write(Data(text.utf8))
    StandardOutput.say("\(output): \(summary(input))")
    if !losses.isEmpty { throw ExitStatus.renderedWithLosses }
  }

  /// What is unpacked for a moment cannot be named in a file that stays.
  private func refuseArchives() throws(RenderError) {
    guard let archive = inputs.first(where: { Source.isArchive($0) }) else { return }
    let folder = URL(fileURLWithPath: output).deletingLastPathComponent()
      .appending(path: URL(fileURLWithPath: archive).deletingPathExtension().lastPathComponent)
      .relativePath
    throw RenderError(
      .usage,
      "\(archive) is an archive, and a session file names files that stay: unpack it first, as into "
        + "\(folder), and import that folder.")
  }

  /// An address that will have expired names no file that stays.
  private func refuseSignatures() throws {
    for input in inputs {
      guard case .web(let address) = try Location(input), address.contains("?") else { continue }
      throw StorageError(
        .usage,
        "\(try Location(input)) has a query, which may be a signature, and a session file names files "
          + "that stay: download it, and import that.")
    }
  }

  private func summary(_ input: CallInput) -> String {
    let recording = input.recording
    let (people, tracks) = (recording.participants.count, recording.tracks.count)
    let events = recording.events.count
    return "\(people) \(people == 1 ? "person" : "people"), \(tracks) "
      + "track\(tracks == 1 ? "" : "s"), \(events) event\(events == 1 ? "" : "s")"
  }
}
