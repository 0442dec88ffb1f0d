import ArgumentParser
import Foundation
import TesseraBatch
import TesseraJobs
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// `tessera batch`.
struct BatchCommand: ParsableCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Renders many calls on one machine, and skips those that are finished.",
    usage: "tessera batch JOBS [options] [render's options, for all jobs]",
    discussion: """
      JOBS is a list with one job in each line (.jsonl), row (.csv) or item (.yaml), or a folder, in \
      which each folder, archive and session file is a job; both may be in a bucket. A job has the \
      keys id, input (a path or a list), output, priority (default: 0; higher ones start first), and any \
      option of render but executor and also, by its name without dashes. Options on the command line apply to all jobs that \
      do not set them; {id} and {name} in them are replaced by the job's.

      Examples:
        tessera batch calls/ --output 'out/{name}.mp4' --layout speaker
        tessera batch night.jsonl --results night-results.jsonl --retries 2 --job-timeout 2:00:00
        tessera batch s3://recordings/night/ --output 's3://videos/{name}.mp4'
        tessera batch night.jsonl --shard 2/8
        tessera batch night.jsonl --executor slurm:partition=batch,cpus-per-task=8

      A line of a list: {"id": "17", "input": "calls/17", "output": "out/17.mp4", "size": "1280x720"}

      The same command again renders only what is missing: an output stores a digest of its inputs, \
      options and program, and is skipped while the digest is the same.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp("List of jobs, or folder of recordings.", valueName: "jobs"),
    completion: .file())
  var list: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output of jobs that name none, such as 'out/{name}.mp4'.", valueName: "file"))
  var output: String?

  @OptionGroup
  var machine: ResourceOptions

  @Option(
    help: ArgumentHelp(
      "File to which each finished job appends a line: exit, outputs, duration, losses.",
      valueName: "file.jsonl"),
    completion: .file())
  var results: String?

  @Option(
    help: ArgumentHelp("Folder for each job's report.", valueName: "dir"),
    completion: .directory)
  var reportDir: String?

  @Option(
    help: ArgumentHelp(
      "Folder for each job's page, and for a list of all pages (index.html).",
      valueName: "dir"),
    completion: .directory)
  var pageDir: String?

  @Option(
    parsing: .unconditional,
    help: "Retries of a job that crashed or had a temporary failure.")
  var retries = 0

  @Option(
    help: ArgumentHelp(
      "Time limit of a job: seconds or [hh:]mm:ss (default: none).", valueName: "t"))
  var jobTimeout: MediaTime?

  @Option(
    parsing: .unconditional,
    help: "Number of failed jobs after which no more jobs start (default: no limit).")
  var maxFailures: Int?

  @Option(
    help: ArgumentHelp(
      "Share of the jobs for one of N machines: every N-th job, starting with the I-th.",
      valueName: "i/n"))
  var shard: ShardArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Numbers of the jobs to run, from 0; auto takes the scheduler's task number.",
      valueName: "k[-l]|auto"))
  var index: PieceIndexArgument?

  @Option(
    help: ArgumentHelp(
      "File with metrics for Prometheus, in the format of node_exporter's textfile collector.",
      valueName: "file.prom"),
    completion: .file())
  var metrics: String?

  @Option(help: "Format of messages: text, or json with the job's id in each line.")
  var log = LogFormat.text

  @OptionGroup
  var progress: ProgressOptions

  @Option(
    help: ArgumentHelp(
      "Kind of tasks that run jobs: processes on this machine, or slurm with options for sbatch, "
        + "as one array for all jobs.", valueName: "processes|slurm[:k=v,…]"))
  var executor = ExecutionOptions.Executor.processes

  @OptionGroup(visibility: .hidden)
  var render: RenderOptions

  @Option(help: ArgumentHelp("Folder for the messages of a cluster's tasks.", visibility: .hidden))
  var taskFolder: String?

  @Option(help: ArgumentHelp("Number of tasks of a cluster.", visibility: .hidden))
  var tasks: Int?

  @Option(help: ArgumentHelp("Number of this task.", visibility: .hidden))
  var task: Int?

  var parsed: RenderRequest?

  mutating func validate() throws {
    try parse()
    for path in [pageDir, results, metrics] where path?.contains("://") == true {
      throw ValidationError(
        "\(path ?? "") is written while jobs run: give a path on this machine. Only outputs and reports may be in a bucket."
      )
    }
    guard (0...1000).contains(retries) else { throw ValidationError("--retries takes 0 to 1000.") }
    if let maxFailures, maxFailures < 1 {
      throw ValidationError("--max-failures takes a number from 1 on.")
    }
    if shard != nil, index != nil {
      throw ValidationError("--shard and --index exclude each other; give one of them.")
    }
    switch executor {
    case .processes: break
    case .threads:
      throw ValidationError("--executor threads renders a single call only; leave it out.")
    case .slurm:
      guard shard == nil, index == nil else {
        throw ValidationError(
          "--executor slurm runs the whole list; leave out --shard and --index.")
      }
      guard !list.contains("://") else {
        throw ValidationError(
          "--executor slurm keeps its files beside the list; download \(list) and give the local file."
        )
      }
    }
  }

  func run() throws {
    InterruptHandler.install()
    if log == .json { StandardError.writesJSON() }
    let status = try BatchCommandRunner(self).run()
    var result = CommandResult(exit: status?.rawValue ?? 0)
    if status == nil { result.output = results }
    StandardError.finish(result)
    if let status { throw status }
  }

  /// Returns the request that jobs start from; a job's own options override it.
  ///
  /// - Throws: ``RenderError`` if an output is wrong, or a list of outputs cannot be read.
  func template() throws(RenderError) -> RenderRequest {
    var template = request(of: [], to: try render.others.requested(besides: output ?? ""))
    // All jobs share the batch's slots and memory.
    (template.execution.jobs, template.execution.memoryLimit) = (nil, nil)
    return template
  }

  /// Returns a filter that is true for the numbers of the jobs that this process runs: a task's, a
  /// shard's, those of `--index`, or all.
  func selection() throws(RenderError) -> @Sendable (Int) -> Bool {
    if let task, let tasks { return { $0 % tasks == task } }
    if let shard { return { $0 % shard.count == shard.number - 1 } }
    guard let index else { return { _ in true } }
    let range = try index.range(ProcessInfo.processInfo.environment)
    return { range.contains($0) }
  }
}

/// The form of messages.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// The value of `--shard`: `2/8` is the second of eight.
struct ShardArgument: ExpressibleByArgument {
  let number: Int
  let count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1,
      (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }
}
