import Foundation
import Glibc
import TesseraArchives
import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraSystem

extension RenderRequest {
  /// The inputs, as a call; `printer` shows how far reading them is.
  func open(_ printer: ProgressPrinter) throws(RenderError) -> CallInput {
    var limits = ArchiveLimits()
    if let bytes = call.archiveSizeLimit { limits.bytes = Int64(bytes) }
    let workFolder: String
    do throws(SystemError) {
      workFolder = try inputs.contains(where: Source.isArchive) ? UnpackFolder.make() : ""
    } catch {
      throw RenderError(
        error.mayPass ? .temporary : .failure,
        "\(error); make room there, or set TMPDIR to another folder.")
    }
    return try CallInput.open(
      inputs, format: call.format, people: call.people?.path, workFolder: workFolder,
      limits: limits, allowsMissing: call.allowsMissing ?? false, readers: EngineOptions.readers(),
      progress: printer.planning, cancellation: Interrupts.cancellation)
  }

  /// The call, with all that is said of it; `printer` shows how far reading and planning are.
  func callRequest(
    readers: WorkerProgram? = EngineOptions.readers(), _ printer: ProgressPrinter
  ) throws(RenderError) -> CallRequest {
    var request = CallRequest(try open(printer))
    try call.apply(to: &request)
    request.wantsTranscript = !sidecars.transcriptOutputs.isEmpty
    request.wantsTurns = sidecars.speakers != nil || sidecars.page != nil
    (request.cache, request.readers, request.progress) = (means.scans, readers, printer.planning)
    return request
  }

  /// The files that are read: no output may be one of them.
  var inputFiles: [String] { inputs + files + outputs.flatMap(\.options.files) }
}

extension RequestMeans {
  /// The cache of what was found in recordings; nil where none is wanted, or the user has no folder
  /// for one.
  var scans: ScanCache? {
    guard ignoresCache != true else { return nil }
    let folder = cache ?? ScanCache.userFolder(ProcessInfo.processInfo.environment)
    return folder.map { ScanCache($0) }
  }

  /// The kernels that are asked for.
  func kernels() throws(RenderError) -> Kernels { try Kernels(named: kernelName) }

  /// How the engine is to render what goes to `output`; workers get `--cpu` and the like.
  func settings(output: String) -> RenderSettings {
    var settings = RenderSettings()
    settings.jobs = jobs
    settings.memory = memoryLimit
    settings.workFolder = workFolder
    settings.retriesLosses = retriesLosses ?? false
    settings.isStrict = (isStrict ?? false) || (refusesNotes ?? false)
    settings.isOverwriting = overwrites ?? false
    settings.root = root
    if let gate = RemoteNames.gate {
      settings.prepare = { () throws(RenderError) in try gate.pass() }
    }
    let folder = (workFolder.map { WorkFolder($0) } ?? WorkFolder(output: output)).path
    var arguments = [
      "worker", "--work-dir", URL(fileURLWithPath: folder).standardizedFileURL.path,
      "--cpu", kernelName,
    ]
    if settings.isStrict { arguments.append("--strict") }
    if let root { arguments += ["--root", root] }
    let worker = WorkerProgram(program: EngineOptions.program, arguments: arguments)
    switch executor ?? .processes {
    case .threads: settings.workers = .threads
    case .processes: settings.workers = .processes(worker)
    case .slurm(let options): settings.workers = .slurm(options: options, worker)
    }
    return settings
  }

  /// Who reads the recordings for the plan; nil where threads of this process do.
  var readers: WorkerProgram? {
    executor == .threads ? nil : EngineOptions.readers(root: root)
  }
}

extension Kernels {
  /// The kernels that `--cpu` calls `name`.
  init(named name: String) throws(RenderError) {
    guard name != "auto", let wanted = Level(rawValue: name) else {
      self.init()
      return
    }
    guard let level = wanted.substitute else {
      let names = Level.available.map(\.rawValue).joined(separator: ", ")
      throw RenderError(
        .usage, "this processor cannot do --cpu \(wanted.rawValue); it can do \(names).")
    }
    self.init(level: level)
  }
}

/// The folder that archives are unpacked into, until it is removed.
enum UnpackFolder {
  private static let scratch = Monitor(ScratchFolder?.none)
  private static let isKept = Monitor(false)

  /// What is unpacked from now on stays: the workers of a plan come later.
  static func keep() { isKept.update { $0 = true } }

  /// A new folder to unpack archives into.
  static func make() throws(SystemError) -> String {
    if isKept.withLock({ $0 }) { return "\(NSTemporaryDirectory())tessera.\(getpid())" }
    let made = try ScratchFolder()
    scratch.update { $0 = made }
    return made.path
  }

  /// Removes what this process has unpacked, if anything, unless it is to stay.
  static func remove() { scratch.update { $0 = nil } }
}
