import Foundation
import TesseraArchives
package import TesseraCodecs
package import TesseraJobs
package import TesseraPixels
package import TesseraPlanning
import TesseraRecordings
package import TesseraRendering
package import TesseraRequest
package import TesseraSystem

extension RenderRequest {
  /// Opens the inputs as a call. ``CallInput`` unpacks an archive, and the importer of its recorder
  /// reads it.
  package func open(_ context: RequestContext) throws(RenderError) -> CallInput {
    var limits = ArchiveLimits()
    if let bytes = call.archiveSizeLimit { limits.bytes = Int64(bytes) }
    let workFolder = try inputs.contains(where: CallSource.isArchive) ? context.unpacked.make() : ""
    return try CallInput.open(
      inputs, format: call.format, people: call.people?.path, workFolder: workFolder,
      limits: limits, allowsMissing: call.allowsMissing ?? false,
      streams: call.streams ?? .auto, channels: call.channels ?? .mixed,
      mayLeaveFolder: context.mayLeaveFolder, isOutput: OwnOutputs(places).contains,
      readers: context.readers(), progress: context.planning, cancellation: context.cancellation)
  }

  /// Opens the call and applies the request's settings. Processes of `readers` read its files, or
  /// threads if `readers` is `nil`.
  package func callRequest(
    _ readers: WorkerProgram?, _ context: RequestContext
  ) throws(RenderError) -> CallRequest {
    var request = CallRequest(try open(context))
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

  /// The recording's name in texts about it: the name of the only input, otherwise of `output`,
  /// without its extension. `known` maps paths to the names that the user gave.
  package func recordingName(
    _ output: String, _ known: (String) -> String = { $0 }
  ) -> String {
    let path = known(inputs.count == 1 ? inputs[0] : output)
    return URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// The files that are read. No output may be one of them.
  package var inputFiles: [String] { inputs + files + outputs.flatMap(\.options.files) }
}

extension ExecutionOptions {
  /// The cache of scans and analyses; `nil` if the cache is ignored, or if the user has no folder
  /// for one.
  package var scans: ScanCache? {
    guard ignoresCache != true else { return nil }
    let folder = cache ?? UserFolder.cache.path()
    return folder.map { ScanCache($0) }
  }

  /// The kernels that `--cpu` selects.
  package func kernels() throws(RenderError) -> Kernels { try Kernels(named: kernelName) }

  /// The render settings of the engine in `context`.
  package func settings(_ context: RequestContext) -> RenderSettings {
    var settings = RenderSettings()
    settings.jobs = jobs
    settings.memory = memoryLimit
    settings.workFolder = workFolder
    settings.retriesLosses = retriesLosses ?? false
    settings.isStrict = (isStrict ?? false) || (refusesNotes ?? false)
    settings.isOverwriting = overwrites ?? false
    settings.root = root
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

extension Kernels {
  /// Creates the kernels called `name` in `--cpu`.
  package init(named name: String) throws(RenderError) {
    guard name != "auto", let wanted = Level(rawValue: name) else {
      self.init()
      return
    }
    guard let level = wanted.substitute else {
      let names = Level.available.map(\.rawValue).joined(separator: ", ")
      throw RenderError(
        .usage, "this processor cannot do \(option: "cpu") \(wanted.rawValue); it can do \(names).")
    }
    self.init(level: level)
  }
}
