import ArgumentParser
import Foundation
import TesseraJobs
import TesseraSystem

/// How much of the machine is used.
struct MachineOptions: ParsableArguments {
  @Option("jobs") var jobs: String?
  @Option("memory") var memory: String?
}

/// Where the work of a call is done.
struct ExecutorOption: ParsableArguments {
  @Option("executor") var executor: String?
}

/// Where it is rendered, and with what means.
struct EngineOptions: ParsableArguments {
  @Option("work-dir") var workDir: String?
  @Flag("retry-losses") var retryLosses = false
  @Option("root") var root: String?

  /// Processes that read recordings, in the folder `root` only.
  static func readers(root: String? = nil) -> WorkerProgram {
    WorkerProgram(program: program, arguments: ["read"] + (root.map { ["--root", $0] } ?? []))
  }

  /// This program, wherever it was started from.
  static var program: String { ForkServer.program }
}

/// Which part of the timeline is rendered.
struct RangeOptions: ParsableArguments {
  @Option("cut") var cut: [String]
  @Option("keep") var keep: [String]
  @Option("edits") var edits: [String]
  @Option("without-fillers") var withoutFillers: String?
  @Option("tighten") var tighten: String?
  @Option("from") var from: String?
  @Option("to") var to: String?
  @Option("chapter") var chapter: String?
  @Option("clips") var clips: String?
  @Option("snap") var snap: String?
  @Option("max-duration") var maxDuration: String?
}
