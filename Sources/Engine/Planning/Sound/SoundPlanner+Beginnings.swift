import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

extension SoundPlanner {
  /// A person heard in two recordings that far apart, in seconds, did not begin them at once: people
  /// hear each other late, but not that late.
  private static let leastApart = 2 * AlignSound.largestDelay + 0.5

  /// The recordings that probably did not begin together, as far as their sound was heard anyway.
  func beginnings(_ people: [Person]) -> [String] {
    let known = people.compactMap { person in
      person.voices.first { $0.isSpeech && analyses[$0.id] != nil }.map { (person, $0) }
    }
    guard let (first, voice) = known.first, let levels = analyses[voice.id]?.levels else {
      return []
    }
    return known.dropFirst().compactMap { person, other in
      guard
        let offset = analyses[other.id].flatMap({ AlignSound.offset(of: $0.levels, in: levels) })
      else { return nil }
      let apart = offset - (other.source.start - voice.source.start).seconds
      guard abs(apart) > Self.leastApart else { return nil }
      return
        "\(other.source.path) and \(voice.source.path) sound alike \(AlignSound.text(abs(apart), 1)) s "
        + "apart: if both heard the same call, \(person.participant.name) and "
        + "\(first.participant.name) did not begin together, and --align sound places them."
    }
  }
}
