import ArgumentParser
import Foundation
import TesseraJobs
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline

/// How much of the machine is used.
struct MachineOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "How many workers run at once (as many as processors and memory allow).")
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The memory that all workers together may take, like 8G (four fifths of what is free).",
      valueName: "bytes"))
  var memory: ByteCount?

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs takes 1 to 1024.")
    }
  }
}

/// Who renders, with what means.
struct EngineOptions: ParsableArguments {
  @OptionGroup
  var machine: MachineOptions

  @Option(
    name: .customLong("work-dir"),
    help: ArgumentHelp(
      """
      Where what is finished is kept, s3://bucket/prefix/ too, also afterwards; the next render \
      reuses what has not changed (a folder beside the output, which goes when it is done).
      """, valueName: "dir"),
    completion: .directory)
  var workFolder: String?

  @Option(
    help: ArgumentHelp(
      "Who does the work: processes, threads, or slurm with options for sbatch.",
      valueName: "processes|threads|slurm[:k=v,…]"))
  var executor = ExecutorChoice.processes

  @Flag(help: "Try again what brought workers down in an earlier run.")
  var retryLosses = false

  @Option(
    help: ArgumentHelp(
      "The folder that workers open files in, and no others, whatever links say.",
      valueName: "dir"),
    completion: .directory)
  var root: String?

  /// How the engine is to render; workers get `--cpu` and the like.
  func settings(
    output: String, picture: PictureOptions, isStrict: Bool
  ) -> RenderSettings {
    var settings = RenderSettings()
    settings.jobs = machine.jobs
    settings.memory = machine.memory?.value
    settings.workFolder = workFolder
    settings.retriesLosses = retryLosses
    settings.isStrict = isStrict
    settings.root = root
    if let gate = RemoteNames.gate {
      settings.prepare = { () throws(RenderError) in try gate.pass() }
    }
    let folder = (workFolder.map { WorkFolder($0) } ?? WorkFolder(output: output)).path
    var arguments = ["worker", "--work-dir", Self.absolute(folder)]
    arguments += ["--cpu", picture.cpu.defaultValueDescription]
    if isStrict { arguments.append("--strict") }
    if let root { arguments += ["--root", root] }
    let worker = WorkerProgram(program: Self.program, arguments: arguments)
    switch executor {
    case .threads: settings.workers = .threads
    case .processes: settings.workers = .processes(worker)
    case .slurm(let options):
      settings.workers = .slurm(options: options, worker)
    }
    return settings
  }

  /// Who reads the recordings for the plan; nil where threads of this process do.
  var readers: WorkerProgram? {
    executor == .threads ? nil : Self.readers(root: root)
  }

  /// Processes that read recordings, in the folder `root` only.
  static func readers(root: String? = nil) -> WorkerProgram {
    WorkerProgram(program: program, arguments: ["read"] + (root.map { ["--root", $0] } ?? []))
  }

  /// This program, wherever it was started from.
  static var program: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}

/// Who does the work.
enum ExecutorChoice: ExpressibleByArgument, Equatable {
  case processes
  case threads
  case slurm([String])

  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("processes", 1): self = .processes
    case ("threads", 1): self = .threads
    case ("slurm", _):
      let options = parts.dropFirst().first?.split(separator: ",").map(String.init) ?? []
      guard options.allSatisfy({ $0.contains("=") || !$0.contains(" ") }) else { return nil }
      self = .slurm(options)
    default: return nil
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(["processes", "threads", "slurm"]) }

  var defaultValueDescription: String {
    switch self {
    case .processes: "processes"
    case .threads: "threads"
    case .slurm: "slurm"
    }
  }
}

/// Bytes: `8G`, `500M`, `1000000`; the letters stand for powers of 1024.
struct ByteCount: ExpressibleByArgument, Equatable {
  let value: Int

  init?(argument: String) {
    let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30, "t": 40]
    let shift = argument.lowercased().last.flatMap { shifts[$0] }
    guard let number = Int(shift == nil ? argument[...] : argument.dropLast()), number > 0,
      number < 1 << 20 || shift == nil
    else { return nil }
    value = number << (shift ?? 0)
  }
}

/// Which part of the timeline is rendered.
struct RangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to begin: seconds or [hh:]mm:ss[.mmm].", valueName: "t"))
  var from: MediaTime?

  @Option(parsing: .unconditional, help: ArgumentHelp("Where to end.", valueName: "t"))
  var to: MediaTime?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest video that is made; broken times make longer ones (24:00:00).", valueName: "t"))
  var maxDuration: MediaTime?

  /// Asks for this part.
  func apply(to rendition: inout Rendition) { (rendition.from, rendition.to) = (from, to) }

  /// Allows as long a video as is said here.
  func apply(to call: inout CallRequest) {
    if let maxDuration { call.longestDuration = maxDuration }
  }
}
