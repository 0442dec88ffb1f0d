import ArgumentParser
import Foundation
import TesseraArchives
import TesseraCodecs
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraSystem

/// `tessera inspect`.
struct InspectCommand: CallCommand, ProgressCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows the contents of recordings and their problems.",
    discussion: """
      Reads every packet of each file and decodes one picture and one block of sound. For a call's \
      folder, archive, manifest or session file, shows its participants and contradictions; with \
      --align or --offset, all files are one call. The exit code is 1 if a file does not exist or is \
      not a recording, and 3 if the files lack the evidence that --align needs.
      """)

  @Argument(
    help: ArgumentHelp(
      "Media files, or folders, archives, manifests or session files of calls.",
      valueName: "file"),
    completion: .file())
  var files: [String]

  @Flag(help: "Decode all sound and show the loudness of each voice.")
  var levels = false

  @Flag(
    help: "Show each participant's share of speech, overlaps and silences.")
  var speech = false

  @Flag(help: "Print a JSON array with one object for each recording.")
  var json = false

  @OptionGroup
  var progress: ProgressOptions

  @OptionGroup(title: "Call")
  var source: SourceOptions

  @Option("offset") var offset: [String]

  @OptionGroup(title: "Call")
  var alignment: AlignmentOption

  @OptionGroup
  var cache: CacheOptions

  var parsed: RenderRequest?

  /// The result for one input: its inspection, or the error if it cannot be read.
  private struct InspectedInput: Encodable, PathDisplayable {
    var path: UserMessage
    var error: UserMessage?
    var recording: RecordingInspection?
    var call: CallInspection?
    var speech: SpeechStatistics?

    var isWhole: Bool { error == nil && call?.errors.isEmpty ?? true }

    mutating func name(by names: FileDisplayNames) {
      path.name(by: names)
      error.name(by: names)
      recording.name(by: names)
      call.name(by: names)
    }
  }

  func request() throws -> RenderRequest { request(of: files) }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    let (request, files) = (session.request, session.request.inputs)
    var entries: [InspectedInput] = []
    // Files that are aligned with each other are one call.
    let (alignment, scans) = (request.call.alignment, request.execution.scans)
    let isOneCall = alignment != nil || speech || !(request.call.offsets ?? []).isEmpty
    for inputs in isOneCall ? [files] : files.map({ [$0] }) {
      let entry = try entry(Self.part(request, inputs), alignment, scans, session.context)
        .named(by: session.names)
      printer.finish()
      entries.append(entry)
      guard !json else { continue }
      if let error = entry.error { StandardError.print("error: \(error.commandLine)") }
      if let found = entry.recording { try print(InspectionText.text(found)) }
      if let found = entry.call { try print(CallInspectionText.text(found)) }
      if let found = entry.speech { try print(SpeechText.text(found)) }
    }
    if json { try StandardOutput.write(try JSONOutput.text(entries)) }
    if !entries.allSatisfy(\.isWhole) { throw ExitStatus.failed }
    if entries.contains(where: { $0.call?.isUncertain == true }) {
      throw ExitStatus.renderedWithLosses
    }
  }

  /// Returns the request restricted to `inputs`.
  private static func part(_ request: RenderRequest, _ inputs: [String]) -> RenderRequest {
    var part = request
    part.inputs = inputs
    part.call.allowsMissing = true
    return part
  }

  private func entry(
    _ request: RenderRequest, _ alignment: TesseraRecordings.AlignmentMethod?, _ scans: ScanCache?,
    _ context: RequestContext
  ) throws -> InspectedInput {
    let file = request.inputs.joined(separator: " ")
    let path = request.inputs.map { "\(file: $0)" as UserMessage }.joined(separator: " ")
    defer { context.unpacked.remove() }
    do {
      guard !speech else {
        return InspectedInput(path: path, speech: try statistics(request, context))
      }
      let offsets = request.call.offsets ?? []
      guard alignment != nil || !offsets.isEmpty || CallInputFiles.isCall(file) else {
        let found = try RecordingInspection.inspect(
          file, hearsVoices: levels, cache: scans, readers: context.readers(),
          progress: context.planning, cancellation: context.cancellation)
        return InspectedInput(path: path, recording: found)
      }
      let found = try CallInspection.inspect(
        try request.openInputs(context), path: path, alignment: alignment, offsets: offsets,
        hearsVoices: levels, cache: scans, readers: context.readers(), progress: context.planning,
        cancellation: context.cancellation)
      return InspectedInput(path: path, call: found)
    } catch let error as MediaError {
      return InspectedInput(path: path, error: error.sentence)
    } catch let error as RenderError where [.failure, .temporary].contains(error.kind) {
      return InspectedInput(path: path, error: error.sentence)
    }
  }

  /// Measures how much each participant speaks in the call.
  private func statistics(
    _ request: RenderRequest, _ context: RequestContext
  ) throws -> SpeechStatistics {
    var call = try request.callRequest(
      try request.openInputs(context), context.readers(), context)
    call.wantsTurns = true
    let rendition = try RenditionOptions().rendition(of: call.input)
    return SpeechStatistics(
      try Planner.plan(rendition, of: call, cancellation: context.cancellation))
  }

  private func print(_ text: String) throws {
    try StandardOutput.write(Data((text + "\n\n").utf8))
  }
}
