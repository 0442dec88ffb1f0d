import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

extension SoundPlanner {
  /// The minimum offset in seconds at which two recordings did not start together. People hear each
  /// other with a delay, but not with such a long one.
  private static let leastApart = 2 * SoundAligner.largestDelay + 0.5

  /// Returns notes about recordings that probably did not start together, as far as their audio was
  /// decoded for other reasons.
  func beginnings(_ people: [PlannedParticipant]) -> [UserMessage] {
    let known = people.compactMap { person in
      person.voices.first { $0.isSpeech && analyses[$0.id] != nil }.map { (person, $0) }
    }
    guard let (first, voice) = known.first, let levels = analyses[voice.id]?.levels else {
      return []
    }
    return known.dropFirst().compactMap { person, other -> UserMessage? in
      guard
        let offset = analyses[other.id].flatMap({ SoundAligner.offset(of: $0.levels, in: levels) })
      else { return nil }
      let apart = offset - (other.source.start - voice.source.start).seconds
      guard abs(apart) > Self.leastApart else { return nil }
      return
        "\(file: other.source.path) and \(file: voice.source.path) sound alike \(SoundAligner.text(abs(apart), 1)) s "
        + "apart: if both heard the same call, \(person.participant.name) and "
        + "\(first.participant.name) did not start together, and \(option: "align") sound places them."
    }
  }
}
