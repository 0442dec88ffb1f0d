import ArgumentParser
import Foundation
import TesseraArchives
import TesseraCodecs
import TesseraDelivery
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraRequest
import TesseraSystem

/// `tessera inspect`.
struct InspectCommand: CallCommand, RequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows what recordings hold and what is wrong with them.",
    discussion: """
      Reads every packet of each file and decodes one picture and one block of sound. Of a call's \
      folder, archive, manifest or session file it shows who is in it and what does not add up; \
      with --align or --offset all files are one call. \
      Exits with 1 where a file is not there or cannot be read as a recording, and with 3 where \
      the files lack what --align asks for.
      """)

  @Argument(
    help: ArgumentHelp(
      "The recordings: media files, or folders, archives, manifests or session files of calls.",
      valueName: "file"),
    completion: .file())
  var files: [String]

  @Flag(help: "Decode all sound and show how loud every voice is.")
  var levels = false

  @Flag(
    help: "Show how much each person of a call speaks, how often people overlap, and the silences.")
  var speech = false

  @Flag(help: "Print JSON: an array with one object for each of them.")
  var json = false

  @OptionGroup
  var progress: ProgressOptions

  @OptionGroup(title: "Call")
  var source: SourceOptions

  @Option("offset") var offset: [String]

  @OptionGroup(title: "Call")
  var alignment: AlignOption

  @OptionGroup
  var cache: CacheOptions

  var parsed: RenderRequest?

  /// What one of them holds, or why it cannot be read.
  private struct Entry: Encodable {
    var path: String
    var error: String?
    var recording: Inspection?
    var call: CallInspection?
    var speech: SpeechStatistics?

    var isWhole: Bool { error == nil && call?.errors.isEmpty ?? true }
  }

  func request() throws -> RenderRequest { request(of: files) }

  func run(_ request: RenderRequest, _: [String], _: RemoteFiles?) throws {
    let files = request.inputs
    var entries: [Entry] = []
    let printer = progress.printer
    defer { printer.finish() }
    // Files that are laid against each other are one call.
    let (alignment, scans) = (request.call.alignment, request.means.scans)
    let isOneCall = alignment != nil || speech || !(request.call.offsets ?? []).isEmpty
    for inputs in isOneCall ? [files] : files.map({ [$0] }) {
      let entry = try entry(Self.part(request, inputs), alignment, scans, printer)
      printer.finish()
      entries.append(entry)
      guard !json else { continue }
      if let error = entry.error { Terminal.say("error: \(error)") }
      if let found = entry.recording { try print(InspectionText.text(found)) }
      if let found = entry.call { try print(CallInspectionText.text(found)) }
      if let found = entry.speech { try print(SpeechText.text(found)) }
    }
    if json { try StandardOutput.write(try JSONFile.text(entries)) }
    if !entries.allSatisfy(\.isWhole) { throw ExitStatus.failed }
    if entries.contains(where: { $0.call?.isUncertain == true }) {
      throw ExitStatus.renderedWithLosses
    }
  }

  /// What is asked for of some of the files.
  private static func part(_ request: RenderRequest, _ inputs: [String]) -> RenderRequest {
    var part = request
    part.inputs = inputs
    part.call.allowsMissing = true
    return part
  }

  private func entry(
    _ request: RenderRequest, _ alignment: TesseraRecordings.Alignment?, _ scans: ScanCache?,
    _ printer: ProgressPrinter
  ) throws -> Entry {
    let cancellation = Interrupts.cancellation
    let file = request.inputs.joined(separator: " ")
    do {
      guard !speech else {
        defer { Unpacking.remove() }
        return Entry(path: file, speech: try statistics(request, printer))
      }
      let offsets = request.call.offsets ?? []
      guard alignment != nil || !offsets.isEmpty || Source.isCall(file) else {
        let found = try Inspection.inspect(
          file, hearsVoices: levels, cache: scans, readers: EngineOptions.readers(),
          progress: printer.planning, cancellation: cancellation)
        return Entry(path: file, recording: found)
      }
      defer { Unpacking.remove() }
      let found = try CallInspection.inspect(
        try request.open(printer), path: file, alignment: alignment, offsets: offsets,
        hearsVoices: levels, cache: scans,
        readers: EngineOptions.readers(),
        progress: printer.planning,
        cancellation: cancellation)
      return Entry(path: file, call: found)
    } catch let error as MediaError {
      return Entry(path: file, error: "\(error)")
    } catch let error as RenderError where [.failure, .temporary].contains(error.kind) {
      return Entry(path: file, error: error.commandLine)
    }
  }

  /// How much each person speaks in the call.
  private func statistics(
    _ request: RenderRequest, _ printer: ProgressPrinter
  ) throws -> SpeechStatistics {
    var call = try request.callRequest(printer)
    call.wantsTurns = true
    let rendition = try RenditionOptions().rendition(of: call.input)
    return SpeechStatistics(
      try Planner.plan(rendition, of: call, cancellation: Interrupts.cancellation))
  }

  private func print(_ text: String) throws {
    try StandardOutput.write(Data((text + "\n\n").utf8))
  }
}
