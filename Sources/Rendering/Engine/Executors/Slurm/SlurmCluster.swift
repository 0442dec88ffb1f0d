import Foundation
import Subprocess
import TesseraSystem

/// Slurm's own commands.
struct SlurmCluster: Sendable {
  /// What `sbatch` is given for every job: `partition=batch`, `time=2:00:00`.
  var options: [String]

  /// Runs a command and returns its exit code and its standard output.
  typealias Run = @Sendable ([String]) async -> (status: Int32, output: String)
  var run: Run = Self.runCommand

  /// Queues `script`, written to `path`, with `words` for `sbatch`; returns the job's number.
  func submit(
    _ script: String, at path: String, log: String, _ words: [String]
  ) async throws(RenderError) -> String {
    var file = try OutputFile(path)
    try file.write(Data(script.utf8))
    let all =
      ["sbatch", "--parsable", "--chdir=\(FileManager.default.currentDirectoryPath)"]
      + ["--output=\(log)"] + words + options.map { "--\($0)" } + [path]
    let result = await run(all)
    // With --parsable: the number, and the cluster after a semicolon.
    let number = result.output.prefix { $0.isNumber }
    guard result.status == 0, !number.isEmpty else {
      let reason = result.output.split(separator: "\n").first ?? "without a reason"
      throw RenderError(
        .failure,
        "sbatch refuses the render (\(reason)); check --executor's options with \"sinfo\".")
    }
    return String(number)
  }

  /// What the queue says of the array `number` of `count` tasks.
  func queue(_ number: String, _ count: Int) async -> SlurmQueue {
    let result = await run([
      "squeue", "--noheader", "--array", "--format=%F_%K|%T", "--jobs=\(number)",
    ])
    if result.status == 0 { return SlurmQueue(result.output, count: count) }
    // What ended some minutes ago is in the accounting only, where there is one.
    let accounted = await run([
      "sacct", "--noheader", "--parsable2", "--allocations", "--format=JobID,State",
      "--jobs=\(number)",
    ])
    return SlurmQueue(accounted.output, count: count)
  }

  /// Whether a job that is no array waits or runs, and can.
  func isOpen(_ number: String) async -> Bool {
    let result = await run(["squeue", "--noheader", "--format=%T|%r", "--jobs=\(number)"])
    guard result.status == 0, let line = result.output.split(separator: "\n").first else {
      return false
    }
    let state = line.prefix { $0 != "|" && $0 != " " }
    return state != SlurmQueue.done && state != "NODE_FAIL"
      && !SlurmQueue.failures.contains(String(state)) && !line.contains("DependencyNeverSatisfied")
  }

  /// Queues a task of an array again.
  func requeue(_ number: String, _ task: Int) async throws(RenderError) {
    let result = await run(["scontrol", "requeue", "\(number)_\(task)"])
    guard result.status == 0 else {
      throw RenderError(
        .failure, "the cluster does not queue task \(task) again (\(result.output)).")
    }
  }

  /// Takes jobs back, whatever they are doing.
  func cancel(_ numbers: [String]) async { _ = await run(["scancel"] + numbers) }

  /// A script that runs `command`, whose words are taken as they are, between other words.
  static func script(
    _ head: String = "", running command: [String], _ tail: String
  ) -> String {
    let words = command.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
    return "#!/bin/sh\n\(head)\(words.joined(separator: " ")) \(tail)\n"
  }

  private static let runCommand: Run = { words in
    do {
      let result = try await Subprocess.run(
        .name(words[0]), arguments: Arguments(Array(words.dropFirst())),
        output: .string(limit: 4 << 20), error: .combinedWithOutput)
      let status: Int32 =
        switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let signal): -signal
        }
      return (status, result.standardOutput)
    } catch {
      return (127, "\(words[0]) cannot be run: \(error)")
    }
  }
}
