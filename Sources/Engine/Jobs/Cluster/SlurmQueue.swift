import Foundation
import Glibc
import TesseraMessages
package import TesseraSystem

/// A Slurm cluster, controlled by Slurm's own commands.
package struct SlurmQueue: ClusterQueue {
  /// Options for every `sbatch` call: `partition=batch`, `time=2:00:00`.
  private let options: [String]

  /// Runs a command and returns its exit code and its standard output.
  package typealias CommandRunner = @Sendable ([String]) async -> (status: Int32, output: String)
  private let run: CommandRunner

  /// Creates the cluster that this machine belongs to. `options` are passed to `sbatch`.
  package init(options: [String], run: @escaping CommandRunner = SlurmQueue.runCommand) {
    (self.options, self.run) = (options, run)
  }

  package var name: String { "Slurm" }

  package func submit(_ submission: ClusterSubmission) async throws(RenderError) -> String {
    let path = "\(submission.folder)/\(submission.name).sh"
    try OutputFile(inOwnFolder: path).write(Data(Self.script(submission).utf8))
    let log = submission.log.replacingOccurrences(of: "%", with: "%a")
    var words = ["sbatch", "--parsable", "--chdir=\(FileManager.default.currentDirectoryPath)"]
    words += ["--output=\(log)", "--requeue", "--job-name=\(submission.name)"]
    if let (count, atOnce) = submission.array { words.append("--array=0-\(count - 1)%\(atOnce)") }
    if let after = submission.after { words.append("--dependency=afterok:\(after)") }
    let result = await run(words + options.map { "--\($0)" } + [path])
    // With --parsable: the job number, then a semicolon and the cluster's name.
    let number = result.output.prefix { $0.isNumber }
    guard result.status == 0, !number.isEmpty else {
      let reason = result.output.split(separator: "\n").first ?? "without a reason"
      throw RenderError(
        .failure,
        "sbatch refuses the render (\(reason)); check \(option: "executor")'s options with \"sinfo\"."
      )
    }
    return String(number)
  }

  package func open(_ id: String, count: Int) async -> Set<Int> {
    let result = await run([
      "squeue", "--noheader", "--array", "--format=%F_%K|%T", "--jobs=\(id)",
    ])
    if result.status == 0 { return Self.open(result.output, count: count) }
    // Jobs that ended some minutes ago are only in the accounting, if the cluster has one.
    let accounted = await run([
      "sacct", "--noheader", "--parsable2", "--allocations", "--format=JobID,State", "--jobs=\(id)",
    ])
    return Self.open(accounted.output, count: count)
  }

  package func isOpen(_ id: String) async -> Bool {
    let result = await run(["squeue", "--noheader", "--format=%T|%r", "--jobs=\(id)"])
    guard result.status == 0, let line = result.output.split(separator: "\n").first else {
      return false
    }
    let state = String(line.prefix { $0 != "|" && $0 != " " })
    return state != "NODE_FAIL" && !Self.ended.contains(state)
      && !line.contains("DependencyNeverSatisfied")
  }

  package func requeue(_ id: String, _ task: Int) async throws(RenderError) {
    let result = await run(["scontrol", "requeue", "\(id)_\(task)"])
    guard result.status == 0 else {
      throw RenderError(
        .failure, "Slurm does not queue task \(task) again (\(result.output)).")
    }
  }

  package func cancel(_ ids: [String]) async { _ = await run(["scancel"] + ids) }

  // MARK: Submission

  /// Returns a shell script that runs the command. Its words are quoted literally.
  static func script(_ submission: ClusterSubmission) -> String {
    var words = submission.command.map {
      "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
    if submission.array != nil { words.append("\"$SLURM_ARRAY_TASK_ID\"") }
    return "#!/bin/sh\nexec \(words.joined(separator: " "))\n"
  }

  // MARK: Parsing

  /// States of jobs that have ended or will never run.
  private static let ended: Set = [
    "COMPLETED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "CANCELLED", "DEADLINE", "BOOT_FAIL",
  ]

  /// Parses the tasks that wait or run from lines `JOB_TASK|STATE` that `sacct` or `squeue` print
  /// for an array of `count` tasks. Waiting tasks share a line: `7_[3-9]`, or `7_3-9%4`.
  static func open(_ text: String, count: Int) -> Set<Int> {
    var open: Set<Int> = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "|")
      guard parts.count >= 2, let place = parts[0].split(separator: "_").last else { continue }
      let state = parts[1].split(separator: " ").first ?? ""
      if !ended.contains(String(state)) { open.formUnion(tasks(place, count: count)) }
    }
    return open
  }

  private static func tasks(_ text: Substring, count: Int) -> Set<Int> {
    if let number = Int(text) { return [number] }
    var tasks: Set<Int> = []
    let list = text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
    for part in list.split(separator: ",") {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last, first < count else {
        continue
      }
      tasks.formUnion(max(0, first)...max(0, min(last, count - 1)))
    }
    return tasks
  }

  package static let runCommand: CommandRunner = { words in
    await withCheckedContinuation { continuation in
      _ = ThreadGroup(count: 1, name: "command") {
        continuation.resume(returning: output(of: words))
      }
    }
  }

  /// Number of bytes of a command's output that are kept; the rest is dropped.
  private static let longestOutput = 4 << 20

  private static func output(of words: [String]) -> (status: Int32, output: String) {
    do throws(SystemError) {
      let (process, reading) = try ChildProcess.piped(
        words, environment: ProcessInfo.processInfo.environment, withErrors: true)
      var text = ""
      JSONLineChannel.read(from: reading.number) { line in
        if text.utf8.count < longestOutput { text += String(decoding: line, as: UTF8.self) + "\n" }
      }
      let status: Int32 =
        switch process.wait() {
        case .exit(let code): code
        case .signal(let signal): -signal
        }
      withExtendedLifetime(reading) {}
      return (status, text)
    } catch {
      return (127, "\(words[0]) cannot be run: \(error)")
    }
  }
}
