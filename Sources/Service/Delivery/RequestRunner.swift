package import Foundation
import TesseraCaptions
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraPlanning
package import TesseraRendering
package import TesseraRequest
import TesseraStorage
package import TesseraSystem
import TesseraTimeline
import TesseraVerify

/// Runs one request and returns its result.
///
/// ``makeOutputs()`` checks that all outputs can be written, plans and renders them, verifies them
/// if that was requested, and writes transcripts, the report and the page. If places are remote, a
/// ``TransferSession`` fetches the inputs before and uploads the outputs afterwards.
package struct RequestRunner {
  private let request: RenderRequest
  /// Files that the request was read from, which no output may replace.
  let lists: [String]
  /// The files that are read. No output may be one of them.
  private let files: [String]
  private let context: RequestContext
  /// The provenance to store in the main output; `nil` stores none.
  let madeFrom: String?
  /// True if the request has files in place of addresses.
  private let isFetched: Bool
  private let isOverwriting: Bool
  /// The measurements against which outputs are verified; `nil` if neither a proof nor a
  /// verification was requested.
  private let proofs: OutputVerifier?

  /// - Parameters:
  ///   - request: the request.
  ///   - lists: files that the request was read from, which no output may replace.
  ///   - context: the environment in which the request runs.
  ///   - madeFrom: the provenance to store in the main output; `nil` stores none.
  ///   - isFetched: true if a ``TransferSession`` has replaced all addresses by files.
  package init(
    _ request: RenderRequest, reading lists: [String] = [], _ context: RequestContext,
    madeFrom: String? = nil, isFetched: Bool = false
  ) {
    (self.request, self.context) = (request, context)
    (self.lists, self.isFetched) = (lists, isFetched)
    files = request.inputFiles + lists
    self.madeFrom = madeFrom
    isOverwriting = request.execution.overwrites ?? false
    proofs = OutputVerifier(request, protecting: files + request.outputs.map(\.destination))
  }

  private var main: OutputRequest { request.outputs[0] }
  private var sidecars: SidecarRequest { request.sidecars }

  /// Runs the request. Outputs that differ from what was composed are rendered a second time.
  ///
  /// - Returns: the report, the stills and the verdicts.
  /// - Throws: ``RenderError`` if the request fails, after the report on the failure was sent,
  ///   written and uploaded.
  package func makeOutputs() throws(RenderError) -> RequestResult {
    defer { context.unpacked.remove() }
    if !isFetched {
      do {
        let session = try TransferSession(request, context)
        if session.isRemote {
          return try session.perform(isDone: \.isComplete) { try makeOutputs(in: $0) }
        }
      } catch {
        throw RenderError(delivering: error)
      }
    }
    context.begin()
    try requirePlaces()
    var (plan, stills) = (Plan?.none, StillResults())
    var stages = StageTimer()
    var (isRendered, placed) = (false, [String]())
    do throws(RenderError) {
      var report = try planAndRender(&plan, &stages, &stills)
      var verdicts = try proofs?.verdicts(on: report.allReports, context) ?? []
      if !verdicts.allSatisfy(\.hasPassed) {
        context.note("the output differs from what was composed; rendering it again.")
        report = try planAndRender(&plan, &stages, &stills)
        verdicts = try proofs?.verdicts(on: report.allReports, context) ?? []
        try refuse(verdicts)
      }
      report.take(verdicts)
      let made = report.allReports.filter { $0.error == nil }
      (isRendered, placed) = (true, made.map(\.output) + stills.made)
      for path in placed { context.report(.created(path)) }
      if let plan {
        try sidecars.writeTexts(
          of: plan, named: request.recordingName(made.first?.output ?? main.destination, known),
          media: { path in made.first.flatMap { media($0.output, from: path) } },
          protecting: protectedByTexts, overwriting: isOverwriting)
      }
      placed += sidecars.texts
      try write(report)
      placed += [reportFile].compactMap { $0 }
      if let stop = stills.stop { throw stop }
      if let page = sidecars.page, report.error == nil {
        try sidecars.writePage(
          report, and: Array(made.dropFirst()), to: page,
          protecting: protectedByPage + made.map(\.output) + stills.made,
          overwriting: isOverwriting, context)
      }
      var result = RequestResult(
        report: report, stills: stills.made, failures: stills.failures,
        acceptsLosses: request.execution.acceptsLosses == true,
        processorSeconds: stages.finish("joining"))
      result.verdicts = verdicts
      return result
    } catch {
      // An error of writing the report must not hide the error that it describes.
      if !isRendered { try? write(RenderReport(failed: error, plan)) }
      guard error.kind == .cancelled, !placed.isEmpty else { throw error }
      throw RenderError.stopped(context.cancellation, made: placed)
    }
  }

  // MARK: Places

  /// Checks before planning that the main output and all sidecar files can be written. Further
  /// outputs are checked when the call is open: a session file may add some.
  private func requirePlaces() throws(RenderError) {
    if case .file = main.kind {
      guard OutputContainer(path: main.destination) != nil else {
        throw RenderError(.usage, OutputRequest.unknownEnding(main.destination))
      }
      try main.makeFolderOfClips()
      try OutputFile.require(
        main.destination, protecting: files, overwriting: isOverwriting, mark: .tags)
    } else {
      try main.require(protecting: files, overwriting: isOverwriting)
    }
    if let reportFile {
      try OutputFile.require(
        reportFile, protecting: files + [main.destination], overwriting: isOverwriting,
        mark: .member)
    }
    try proofs?.require()
    try sidecars.requireTexts(protecting: protectedByTexts, overwriting: isOverwriting)
    if let page = sidecars.page {
      try OutputFile.require(page, protecting: protectedByPage, overwriting: isOverwriting)
      try sidecars.requirePlayable(main.destination, by: page, context)
    }
  }

  /// The path of the report; `nil` if none is requested or it goes to the standard output.
  private var reportFile: String? { sidecars.report == "-" ? nil : sidecars.report }

  /// The paths that transcripts and speaker files must not replace.
  private var protectedByTexts: [String] {
    files + [main.destination] + [reportFile].compactMap { $0 }
  }

  /// The paths that the page must not replace.
  private var protectedByPage: [String] { protectedByTexts + sidecars.texts }

  /// The paths that outputs other than the main one must not replace.
  private var protectedByOthers: [String] {
    protectedByPage + (sidecars.page.map { [$0, SidecarRequest.thumbnails(ofPage: $0)] } ?? [])
  }

  // MARK: Rendering

  /// Plans all outputs and renders them: opens the call (`RenderRequest+Call.swift`), plans it
  /// (`RenderRequest+Plans.swift` in `Engine/Planning`), and passes the plans to ``Renderer``,
  /// which also gives the finished files their names.
  private func planAndRender(
    _ planned: inout Plan?, _ stages: inout StageTimer, _ stills: inout StillResults
  ) throws(RenderError) -> RenderReport {
    let (cancellation, context) = (context.cancellation, context)
    let kernels = try request.execution.kernels()
    let readers =
      request.execution.executor == .threads ? nil : context.readers(root: request.execution.root)
    let call = try request.callRequest(try request.openInputs(context), readers, context)
    let wanted = try request.outputs(with: call.input, in: main.folder)
    try requireOthers(wanted)
    let found = try request.plans(for: wanted, of: call, cancellation: cancellation)
    var plans = found.plans
    let targets = found.outputs.flatMap(\.targets)
    let drawn = found.outputs.filter(\.isStill)
    if proofs != nil { for index in plans.indices { plans[index].output.isProven = true } }
    try StillResults.require(drawn, of: targets)
    try requireOthers(
      [main] + found.outputs.filter { $0.source != nil && $0.destination != main.destination })
    planned = plans[0]
    stages.end("planning")
    try sidecars.requireTexts(protecting: plans[0].files, overwriting: isOverwriting)
    let known = plans.announce(context)
    if request.execution.refusesNotes == true, let note = plans.lazy.flatMap(\.messages).first {
      throw RenderError(.failure, "\(option: "strict-notes") refuses a note: \(note)")
    }
    var isTold = false
    let result = try Renderer(
      plans, kernels: kernels,
      settings: settings(channels: plans[0].output.audio.channelCount),
      cancellation: cancellation
    ).render(to: targets) { progress in
      if progress.reused > 0, !isTold {
        isTold = true
        context.note(
          "\(progress.reused) of \(progress.frameCount) frames are there from an earlier run.")
      }
      if progress.phase == .joining {
        stages.end("pictures", but: ("sound", progress.soundProcessorSeconds))
      }
      context.report(.rendering(progress))
    }
    result.warn(except: known, context)
    stills.make(
      drawn, of: zip(plans, targets), result,
      protecting: protectedByOthers + targets.map(\.path), overwriting: isOverwriting, context)
    return result
  }

  /// Removes the verified outputs of a batch job if one deviates after its second render, because
  /// a batch skips jobs whose outputs exist. Does nothing outside of a batch.
  ///
  /// - Throws: ``RenderError`` with the first deviation.
  private func refuse(_ verdicts: [VerificationReport]) throws(RenderError) {
    guard madeFrom != nil, let first = verdicts.first(where: { !$0.hasPassed }) else { return }
    for verdict in verdicts { FileOperations.remove(verdict.output) }
    throw RenderError(
      .failure,
      "\(file: first.output) was rendered twice and differs from what was composed: "
        + "\(first.sentences.first ?? "") It is removed.")
  }

  /// Checks that all `outputs` but the first, the main one, can be written and do not replace each
  /// other.
  private func requireOthers(_ outputs: [OutputRequest]) throws(RenderError) {
    var protected = protectedByOthers
    for output in outputs.dropFirst() {
      try output.require(protecting: protected, overwriting: isOverwriting)
      protected.append(output.destination)
    }
  }

  private func settings(channels: Int) -> RenderSettings {
    var settings = request.execution.settings(context)
    settings.madeFrom = madeFrom
    if let proofs {
      settings.prove = { (place, proof) throws(RenderError) in try proofs.keep(place, proof) }
    }
    settings.stems = sidecars.stems.map {
      StemFolder(
        $0, container: (sidecars.stemFormat ?? .wav).container, channelCount: channels)
    }
    return settings
  }

  /// Describes the output at `path` to the speaker file at `origin`; `nil` if the output is a
  /// folder.
  private func media(_ path: String, from origin: String) -> Diarization.MediaReference? {
    guard OutputContainer(path: path) != nil else { return nil }
    return Diarization.MediaReference(
      known(path), type: MIMEType.name(of: path), from: known(origin))
  }

  /// Returns the address that the file at `path` stands for; its absolute path if there is none.
  private func known(_ path: String) -> String {
    context.names.address(of: path) ?? URL(fileURLWithPath: path).standardizedFileURL.path
  }

  private func write(_ report: RenderReport) throws(RenderError) {
    context.report(.report(report))
    guard let reportFile else { return }
    var file = try OutputFile(
      reportFile, protecting: files + [main.destination], overwriting: isOverwriting,
      mark: .member)
    try file.write(report.named(by: context.names).json())
  }
}

extension RenderReport {
  /// Encodes the report as indented JSON with sorted keys. Characters that change the direction of
  /// text are escaped.
  package func json() throws(RenderError) -> Data {
    let encoder = CanonicalJSON.encoder
    encoder.outputFormatting.insert(.prettyPrinted)
    do {
      let text = String(decoding: try encoder.encode(self), as: UTF8.self)
      return Data((text.withEscapedDirections + "\n").utf8)
    } catch {
      throw RenderError(.failure, "the report cannot be written: \(error).")
    }
  }
}

extension StemFormat {
  fileprivate var container: OutputContainer { self == .wav ? .wav : .flac }
}
