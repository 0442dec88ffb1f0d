import ArgumentParser
import Foundation
import TesseraDelivery
import TesseraJobs
import TesseraProof
import TesseraSystem
import TesseraTimeline
import TesseraVerify

/// `tessera verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Plays finished files and reports how they differ from what was composed.",
    usage: "tessera verify OUTPUT... [--proof FILE] [--sample N] [--json]",
    discussion: """
      The proof that `tessera render --proof` writes describes what was composed; it is read from beside \
      each file (call.mp4.proof). Without a proof, only checks that apply to any file are made: decoding, \
      lengths, order and clipped sound. Black, still and silent stretches and flashes are reported, but do \
      not count as deviations. Each size of a stream and its sound are played separately. A remuxed copy \
      (ffmpeg -c copy -movflags +faststart) verifies as the original does. Exit codes: 0 nothing deviates, \
      3 something deviates, 1 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp("Videos, audio files, HLS folders or pictures.", valueName: "output"),
    completion: .file())
  var outputs: [String]

  @Option(
    help: ArgumentHelp(
      "Proof of a single output (default: the file beside it with .proof appended).",
      valueName: "call.mp4.proof"),
    completion: .file())
  var proof: String?

  @Option(
    help: ArgumentHelp(
      "Number of random stretches of 2 s to play (default: the whole file).", valueName: "n"))
  var sample: Int?

  @Flag(help: "Print the results as JSON.")
  var json = false

  func validate() throws {
    guard 1...10_000 ~= sample ?? 1 else { throw ValidationError("--sample takes 1 to 10000.") }
    guard proof == nil || outputs.count == 1 else {
      throw ValidationError(
        "--proof names the proof of a single output; give one output, or put proofs beside them.")
    }
  }

  func run() throws {
    InterruptHandler.install()
    let tasks = outputs.flatMap { output in
      let beside = (output.hasSuffix("/") ? String(output.dropLast()) : output) + OutputProof.ending
      return VerifyTask.tasks(
        for: output, proof: proof ?? (FileOperations.exists(beside) ? beside : nil),
        sampling: sample)
    }
    let context = RequestContext.command(ProgressPrinter(.none))
    let pool = TaskWorkerPool(context.readers(), cancellation: context.cancellation)
    let found = try VerifyTask.verdicts(tasks, by: pool)
    let verdicts = found.compactMap(\.self)
    guard verdicts.count == found.count else { throw RenderError.stopped(context.cancellation) }
    if json {
      try StandardOutput.write(try JSONOutput.text(verdicts))
    } else {
      for verdict in verdicts {
        try StandardOutput.write(Data("\(verdict.text.withEscapedDirections)\n".utf8))
      }
    }
    if !verdicts.allSatisfy(\.hasPassed) { throw ExitStatus.renderedWithLosses }
  }
}
