import ArgumentParser
import Foundation
import TesseraArchives
import TesseraDelivery
import TesseraDocuments
import TesseraJobs
import TesseraLayout
import TesseraMessages
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraStorage
import TesseraSystem
import TesseraTimeline

/// `tessera import`.
struct ImportCommand: CallCommand, ProgressCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Writes a recording as an editable session file.",
    usage: "tessera import INPUT... -o session.yaml [options]",
    discussion: """
      "tessera render session.yaml" renders the session file as the recording itself. Paths in it are \
      relative to its folder; for a call in a bucket they name the objects. With --align, the file \
      states the start and the clock rate of each recording; the exit code is 3 if a placement is \
      uncertain. With --shots, it lists the shots of the layout cuts, to be moved or changed.
      """)

  @Argument(
    help: ArgumentHelp(
      "Folder, manifest or session file of a call, or media files.", valueName: "input"),
    completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Session file to write.", valueName: "session.yaml|.json"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var output: String

  @OptionGroup(title: "Call")
  var source: SourceOptions

  @Flag("overwrite")
  var overwrite = false

  @Option("offset") var offset: [String]

  @OptionGroup(title: "Call")
  var alignment: AlignmentOption

  @Flag(help: "Write the shots of the layout cuts into the session file, for editing.")
  var shots = false

  @OptionGroup
  var cache: CacheOptions

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  mutating func validate() throws {
    try parse()
    guard DocumentValue.Syntax(fileName: output) != nil else {
      throw ValidationError(
        "-o writes a session file; give it a name that ends in .yaml or .json, not "
          + "\(output).")
    }
  }

  func request() throws -> RenderRequest {
    try refuseArchives()
    try refuseSignatures()
    return request(of: inputs)
  }

  var places: [OutputLocation] { [OutputLocation(output)] }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    let (request, output, context) = (session.request, session.places[0].file, session.context)
    let protected = request.inputFiles
    try OutputFile.require(output, protecting: protected, overwriting: overwrite)
    var input = try session.open()
    var losses: [Loss] = []
    let offsets = request.call.offsets ?? []
    let stated = offsets.isEmpty ? nil : input.defaultAlignment
    if let align = request.call.alignment ?? stated ?? input.placement() {
      (input, losses) = try input.aligned(
        align, offsets: offsets, cache: request.execution.scans, readers: context.readers(),
        progress: printer.planning, cancellation: context.cancellation)
    }
    if shots {
      var rendition = try RenditionOptions().rendition(of: input)
      rendition.layout = CutsLayout()
      var call = try session.callRequest()
      call.input = input
      input = input.directed(
        as: try Planner.plan(rendition, of: call, cancellation: context.cancellation))
    }
    printer.finish()
    let file = try OutputFile(
      output, protecting: protected + input.listing.map { input.path(of: $0) },
      overwriting: overwrite)
    for note in input.notes { context.note(note) }
    for path in input.missingFiles {
      context.warn("\(file: path) does not exist. Add it before rendering.")
    }
    losses.announce(context)
    let document = input.session(at: output, name: session.names.address(of:))
    let isJSON = output.lowercased().hasSuffix(".json")
    let text = isJSON ? document.json(isIndented: true) + "\n" : document.yaml
    try file.write(Data(text.utf8))
    StandardOutput.print("\(self.output): \(summary(input))")
    if !losses.isEmpty { throw ExitStatus.renderedWithLosses }
  }

  /// Rejects archives: a session file that stays cannot name files that are unpacked only
  /// temporarily.
  private func refuseArchives() throws(RenderError) {
    guard let archive = inputs.first(where: { CallInputFiles.isArchive($0) }) else { return }
    let folder = URL(fileURLWithPath: output).deletingLastPathComponent()
      .appending(path: URL(fileURLWithPath: archive).deletingPathExtension().lastPathComponent)
      .relativePath
    throw RenderError(
      .usage,
      "\(file: archive) is an archive, and a session file names files that stay: unpack it first, as into "
        + "\(file: folder), and import that folder.")
  }

  /// Rejects signed addresses: a session file that stays cannot name an address that expires.
  private func refuseSignatures() throws {
    for input in inputs {
      guard case .web(let address) = try Location(input), address.contains("?") else { continue }
      throw StorageError(
        .usage,
        "\(try Location(input)) has a query, which may be a signature, and a session file names files "
          + "that stay: download it, and import that.")
    }
  }

  private func summary(_ input: ImportedCall) -> String {
    let recording = input.recording
    let (people, tracks) = (recording.participants.count, recording.tracks.count)
    let events = recording.events.count
    return "\(people) \(people == 1 ? "person" : "people"), \(tracks.counted("track")), "
      + events.counted("event")
  }
}
