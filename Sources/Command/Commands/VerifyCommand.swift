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
    abstract: "Plays finished files and says what is not as it was composed.",
    usage: "tessera verify OUTPUT... [--proof FILE] [--sample N] [--json]",
    discussion: """
      What was composed is in the proof that `tessera render --proof` writes, which is looked for beside each \
      file: call.mp4.proof. Without it, what can be said of any file is: what cannot be decoded, lengths, order, \
      clipped sound; black, still and silent stretches and flashes are reported, but do not count. Each size of \
      a stream and its sound are played separately. A copy (ffmpeg -c copy -movflags +faststart) is as right \
      as the file. Exit codes: 0 nothing deviates, 3 something does, 1 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp("Videos, sound, folders of HLS, pictures.", valueName: "output"),
    completion: .file())
  var outputs: [String]

  @Option(
    help: ArgumentHelp(
      "The proof of the only output (the file beside it that ends in .proof).",
      valueName: "call.mp4.proof"),
    completion: .file())
  var proof: String?

  @Option(help: ArgumentHelp("Play only n stretches of 2 s, at random.", valueName: "n"))
  var sample: Int?

  @Flag(help: "Print what was found as JSON.")
  var json = false

  func validate() throws {
    guard 1...10_000 ~= sample ?? 1 else { throw ValidationError("--sample is 1 to 10000.") }
    guard proof == nil || outputs.count == 1 else {
      throw ValidationError("--proof is that of one output; give one, or put proofs beside them.")
    }
  }

  func run() throws {
    Interrupts.install()
    let tasks = outputs.flatMap { output in
      let beside = (output.hasSuffix("/") ? String(output.dropLast()) : output) + Proof.ending
      return VerifyTask.tasks(
        for: output, proof: proof ?? (FileSystem.exists(beside) ? beside : nil), sampling: sample)
    }
    let engine = RequestEngine.command(ProgressPrinter(.none))
    let pool = TaskPool(engine.readers(), cancellation: engine.cancellation)
    let found = try VerifyTask.verdicts(tasks, by: pool)
    let verdicts = found.compactMap(\.self)
    guard verdicts.count == found.count else { throw RenderError.stopped(engine.cancellation) }
    if json {
      try StandardOutput.write(try JSONFile.text(verdicts))
    } else {
      for verdict in verdicts {
        try StandardOutput.write(Data("\(verdict.text.withEscapedDirections)\n".utf8))
      }
    }
    if !verdicts.allSatisfy(\.isRight) { throw ExitStatus.renderedWithLosses }
  }
}
