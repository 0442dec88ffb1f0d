import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraProof
import TesseraTimeline

extension Plan {
  /// Returns the number of `slot` in proofs: its index in the plan.
  func proofSlot(_ slot: TileTimeline) -> Int {
    slots.firstIndex { $0.id == slot.id } ?? slots.count
  }

  /// The expected output without measurements: title, chapters and captions.
  var proof: OutputProof {
    var proof = OutputProof(tool: TesseraVersion.name, duration: duration)
    proof.title = output.title
    proof.chapters = output.chapters.map {
      OutputProof.TimedText(start: $0.start.nanoseconds / 1_000_000, text: $0.title)
    }
    proof.captions = output.captions.map { track in
      OutputProof.Captions(
        language: track.language,
        cues: track.cues.map { OutputProof.TimedText(start: $0.start, end: $0.end, text: $0.text) })
    }
    return proof
  }

  /// The owner and kind of each slot for the proof, in the plan's order.
  var proofSlots: [OutputProof.TileOwner] {
    slots.map { slot in
      let person = participants.first { $0.id == slot.participant }
      return OutputProof.TileOwner(person?.name ?? "others", isScreen: slot.kind == .screen)
    }
  }

  /// The speakers' turns, at the output's times.
  var proofTurns: [OutputProof.Turn] {
    let names = Dictionary(
      participants.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return turns.compactMap { turn in
      guard let span = times.output(turn.interval) else { return nil }
      return OutputProof.Turn(
        names[turn.participant] ?? turn.participant.rawValue,
        start: span.start.nanoseconds / 1_000_000, end: span.end.nanoseconds / 1_000_000)
    }
  }
}
