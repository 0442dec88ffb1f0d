import ArgumentParser
import Foundation
import TesseraDelivery
import TesseraJobs
import TesseraMedia
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
      What was composed is in the proof that `tessera render --proof` writes: it is looked for beside \
      each file, as call.mp4.proof for call.mp4. Without a proof it says what can be said of any \
      file: whether all of it can be decoded, lengths, order, clipped sound. Black, still and silent stretches \
      and flashes are reported, but do not count as deviations.

      Each size of a stream and its sound are played separately; each picture of a folder of thumbnails is opened.

      A copy (ffmpeg -c copy -movflags +faststart) is as right as the file. Exit codes: 0 nothing deviates, 3 \
      something does, 1 a file cannot be read.
      """)

  @Argument(
    help: ArgumentHelp(
      "Videos, files of sound, folders of HTTP Live Streaming, pictures.", valueName: "output"),
    completion: .file())
  var outputs: [String]

  @Option(
    help: ArgumentHelp(
      "The proof of the only output (the file beside it that ends in .proof).",
      valueName: "call.mp4.proof"),
    completion: .file())
  var proof: String?

  @Option(
    help: ArgumentHelp(
      "Play only so many stretches of two seconds of each file, at random.", valueName: "n"))
  var sample: Int?

  @Flag(help: "Print what was found as JSON.")
  var json = false

  func validate() throws {
    guard sample.map({ (1...10_000).contains($0) }) ?? true else {
      throw ValidationError("--sample is a number of stretches from 1 to 10000.")
    }
    guard proof == nil || outputs.count == 1 else {
      throw ValidationError("--proof is that of one output; give one, or put proofs beside them.")
    }
  }

  func run() throws {
    Interrupts.install()
    let tasks = outputs.flatMap { output -> [VerifyTask] in
      let beside = (output.hasSuffix("/") ? String(output.dropLast()) : output) + Proof.ending
      let known = proof ?? (FileSystem.exists(beside) ? beside : nil)
      return VerifyTask.tasks(for: output, proof: known).map { task in
        var task = task
        task.sampleCount = sample
        return task
      }
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
