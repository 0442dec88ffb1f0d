import ArgumentParser
import Foundation
import TesseraBatch
import TesseraJobs
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// `tessera batch`.
struct BatchCommand: ParsableCommand, RequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Renders many calls on one machine: every core busy, nothing done twice.",
    usage: "tessera batch JOBS [options] [render's options, for all jobs]",
    discussion: """
      JOBS is a file with a job a line (.jsonl), a row (.csv) or an item (.yaml), or a folder, of \
      which each folder, archive and session file is a job; both may lie in a bucket. A job has the keys id, input (one or a \
      list), output, priority (0; higher ones begin first), and any option of render by its name \
      without dashes; options that are given here hold for all jobs that do not say otherwise, and \
      {id} and {name} in them are the job's.

      Examples:
        tessera batch calls/ --output 'out/{name}.mp4' --layout speaker
        tessera batch night.jsonl --results night-results.jsonl --retries 2 --job-timeout 2:00:00
        tessera batch s3://recordings/night/ --output 's3://videos/{name}.mp4'
        tessera batch night.jsonl --shard 2/8
        tessera batch night.jsonl --executor slurm:partition=batch,cpus-per-task=8

      A line of a list: {"id": "17", "input": "calls/17", "output": "out/17.mp4", "size": "1280x720"}

      The same command again does what is missing: an output says what it was made from, and is left \
      as it is while inputs, options and the program are the same.

      \(ExitStatus.help)
        4    of a batch: some jobs failed; 3 where all were done, some with losses
      """)

  @Argument(
    help: ArgumentHelp("The list of jobs, or a folder of recordings.", valueName: "jobs"),
    completion: .file())
  var list: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "What jobs make that do not say so, such as 'out/{name}.mp4'.", valueName: "file"))
  var output: String?

  @OptionGroup
  var machine: MachineOptions

  @Option(
    help: ArgumentHelp(
      "Add a line to this file at each job's end: exit, outputs, duration, losses.",
      valueName: "file.jsonl"),
    completion: .file())
  var results: String?

  @Option(
    help: ArgumentHelp("Write each job's report into this folder.", valueName: "dir"),
    completion: .directory)
  var reportDir: String?

  @Option(
    help: ArgumentHelp(
      "Write each job's page into this folder, and a list of all of them as its index.html.",
      valueName: "dir"),
    completion: .directory)
  var pageDir: String?

  @Option(
    parsing: .unconditional,
    help: "How often a job is tried again that failed for a reason that may pass, or crashed.")
  var retries = 0

  @Option(
    help: ArgumentHelp("The longest that a job may take: seconds or [hh:]mm:ss.", valueName: "t"))
  var jobTimeout: MediaTime?

  @Option(parsing: .unconditional, help: "Begin no more jobs once this many have failed.")
  var maxFailures: Int?

  @Option(
    help: ArgumentHelp(
      "Do only each N-th job from the I-th on, as one of N machines.", valueName: "i/n"))
  var shard: Shard?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Do only the jobs of these numbers, from 0; auto is a scheduler's number of the task.",
      valueName: "k[-l]|auto"))
  var index: IndexChoice?

  @Option(
    help: ArgumentHelp(
      "Keep counts in this file for Prometheus (node_exporter's text files).",
      valueName: "file.prom"),
    completion: .file())
  var metrics: String?

  @Option(help: "How messages are written: text, or json with the job's id in each line.")
  var log = LogStyle.text

  @OptionGroup
  var progress: ProgressOptions

  @Option(
    help: ArgumentHelp(
      "Where jobs run: processes of this machine, or slurm with options for sbatch, which gets one "
        + "array for all.", valueName: "processes|slurm[:k=v,…]"))
  var executor = RequestMeans.Executor.processes

  @OptionGroup(visibility: .hidden)
  var render: RenderOptions

  @Option(help: ArgumentHelp("Where tasks of a cluster say what is done.", visibility: .hidden))
  var taskFolder: String?

  @Option(help: ArgumentHelp("How many tasks of a cluster there are.", visibility: .hidden))
  var tasks: Int?

  @Option(help: ArgumentHelp("Which of them this is.", visibility: .hidden))
  var task: Int?

  var parsed: RenderRequest?

  mutating func validate() throws {
    try parse()
    for path in [pageDir, results, metrics] where path?.contains("://") == true {
      throw ValidationError(
        "\(path ?? "") is written while jobs run; give a path of this machine. Outputs and reports may go to a bucket."
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
      throw ValidationError("--executor threads renders one call only; leave it out.")
    case .slurm:
      guard shard == nil, index == nil else {
        throw ValidationError(
          "--executor slurm does the whole list; leave out --shard and --index.")
      }
      guard !list.contains("://") else {
        throw ValidationError(
          "--executor slurm keeps its notes beside the list; download \(list), and give the file.")
      }
    }
  }

  func run() throws {
    Interrupts.install()
    if log == .json { Terminal.writesJSON() }
    let status = try BatchRun(self).run()
    var result = CommandResult(exit: status?.rawValue ?? 0)
    if status == nil { result.output = results }
    Terminal.finish(result)
    if let status { throw status }
  }

  /// Returns the request that jobs start from; a job's own options override it.
  ///
  /// - Throws: ``RenderError`` if an output is wrong, or a list of outputs cannot be read.
  func template() throws(RenderError) -> RenderRequest {
    var template = request(of: [], to: try render.others.requested(besides: output ?? ""))
    // All jobs share the batch's slots and memory.
    (template.means.jobs, template.means.memoryLimit) = (nil, nil)
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
enum LogStyle: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// The value of `--shard`: `2/8` is the second of eight.
struct Shard: ExpressibleByArgument {
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
