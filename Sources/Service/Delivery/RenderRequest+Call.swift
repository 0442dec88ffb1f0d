import Foundation
import TesseraArchives
package import TesseraCodecs
package import TesseraJobs
import TesseraMessages
package import TesseraPixels
package import TesseraPlanning
import TesseraRecordings
package import TesseraRendering
package import TesseraRequest
package import TesseraSystem

extension RenderRequest {
  /// Opens the inputs as a call. ``ImportedCall`` unpacks an archive, and the importer of its
  /// recorder reads it.
  package func openInputs(_ context: RequestContext) throws(RenderError) -> ImportedCall {
    var limits = ArchiveLimits()
    if let bytes = call.archiveSizeLimit { limits.bytes = Int64(bytes) }
    let unpackFolder =
      try inputs.contains(where: CallInputFiles.isArchive) ? context.unpacked.make() : ""
    return try ImportedCall.open(
      inputs, format: call.format, people: call.people?.path, unpackFolder: unpackFolder,
      limits: limits, allowsMissing: call.allowsMissing ?? false,
      streams: call.streams ?? .auto, channels: call.channels ?? .mixed,
      mayLeaveFolder: context.mayLeaveFolder, isOutput: OwnOutputDetector(places).contains,
      readers: context.readers(root: execution.root), progress: context.planning,
      cancellation: context.cancellation)
  }

  /// Applies the request's call settings to the opened inputs.
  ///
  /// Transcripts and speaker turns are only requested if an output or a sidecar file uses them.
  ///
  /// - Parameters:
  ///   - input: the result of ``openInputs(_:)``.
  ///   - readers: the program whose processes read the recordings; `nil` for threads.
  ///   - context: the environment in which the request runs.
  /// - Returns: the call with its settings, ready to be planned.
  /// - Throws: ``RenderError`` if a setting is invalid.
  package func callRequest(
    _ input: ImportedCall, _ readers: WorkerProgram?, _ context: RequestContext
  ) throws(RenderError) -> CallRequest {
    var request = CallRequest(input)
    try call.apply(to: &request)
    request.wantsTranscript = !sidecars.transcriptOutputs.isEmpty
    request.wantsTurns =
      sidecars.speakers != nil || sidecars.page != nil
      || outputs.contains { $0.kind == .poster(at: nil) }
    (request.cache, request.readers, request.progress) = (
      execution.scans, readers, context.planning
    )
    return request
  }

  /// Derives the recording's name for transcripts and speaker files.
  ///
  /// - Parameters:
  ///   - output: the path of the main output.
  ///   - known: maps a path of this machine to the name that the user knows.
  /// - Returns: the file name of the only input without its extension. If there are several inputs,
  ///   the file name of `output` is used.
  package func recordingName(
    _ output: String, _ known: (String) -> String = { $0 }
  ) -> String {
    let path = known(inputs.count == 1 ? inputs[0] : output)
    return URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// The inputs and all other files that the request reads. No output may replace one of them.
  package var inputFiles: [String] { inputs + files + outputs.flatMap(\.options.files) }
}

extension ExecutionOptions {
  /// The cache of scan results of recordings; `nil` if it is disabled or the user has no cache
  /// folder.
  package var scans: ScanCache? {
    guard ignoresCache != true else { return nil }
    let folder = cache ?? UserDataFolder.cache.path()
    return folder.map { ScanCache($0) }
  }

  /// Returns the pixel kernels that `kernelName` selects.
  ///
  /// - Throws: a usage error if the processor does not support them.
  package func kernels() throws(RenderError) -> PixelKernels { try PixelKernels(named: kernelName) }

  /// Returns the engine's settings for these options.
  ///
  /// Workers are threads if `context` has no program. Otherwise `executor` decides; its default is
  /// processes.
  package func settings(_ context: RequestContext) -> RenderSettings {
    var settings = RenderSettings()
    settings.jobs = jobs
    settings.memory = memoryLimit
    settings.workFolder = workFolder
    settings.retriesLosses = retriesLosses ?? false
    settings.isStrict = (isStrict ?? false) || (refusesNotes ?? false)
    settings.isOverwriting = overwrites ?? false
    settings.roots = context.roots(root)
    settings.prepare = context.prepare
    guard let program = context.program else {
      settings.workers = .threads
      return settings
    }
    switch executor ?? .processes {
    case .threads: settings.workers = .threads
    case .processes: settings.workers = .processes(tessera: program)
    case .slurm(let options): settings.workers = .slurm(options: options, tessera: program)
    }
    return settings
  }
}

extension PixelKernels {
  /// Selects kernels by `name`, a value of `--cpu`. `auto` and unknown names select the default
  /// kernels.
  ///
  /// - Throws: a usage error if the processor does not support the named level.
  package init(named name: String) throws(RenderError) {
    guard name != "auto", let wanted = InstructionSet(rawValue: name) else {
      self.init()
      return
    }
    guard let level = wanted.substitute else {
      let names = InstructionSet.available.map(\.rawValue).joined(separator: ", ")
      throw RenderError(
        .usage, "this processor cannot do \(option: "cpu") \(wanted.rawValue); it can do \(names).")
    }
    self.init(level: level)
  }
}
