package import TesseraPlan
import TesseraTimeline

/// How much each person speaks in a call, by their own voice.
package struct SpeechStatistics: Hashable, Sendable, Codable {
  /// Somebody in the call.
  package struct Person: Hashable, Sendable, Codable {
    package var name: String
    /// The seconds in which the person speaks, whoever has the floor.
    package var seconds: Double
    /// Its part of what all speak together, 0...1.
    package var share: Double
    /// How often the person has the floor, and the longest time of it in seconds.
    package var turns: Int
    package var longestTurn: Double
    /// The seconds in which somebody else speaks at once.
    package var overlapping: Double
  }

  /// Stretches of the call.
  package struct Stretches: Hashable, Sendable, Codable {
    package var count: Int
    package var seconds: Double
    package var longest: Double

    init(_ ranges: [TimeRange]) {
      count = ranges.count
      seconds = ranges.seconds
      longest = ranges.map(\.duration.seconds).max() ?? 0
    }
  }

  /// The length of the call in seconds.
  package var duration: Double
  package var people: [Person]
  /// When several speak at once.
  package var overlaps: Stretches
  /// When nobody speaks for two seconds or more.
  package var silences: Stretches

  private static let shortestSilence = MediaTime(seconds: 2)

  /// What `plan` knows, which was made with turns.
  package init(_ plan: Plan) {
    let whole = CutList(keeping: [plan.shown])
    let voices = plan.participants.map { CutList(keeping: $0.speech).intersection(whole) }
    let total = voices.map(\.kept.seconds).reduce(0, +)
    var several = [TimeRange]()
    people = plan.participants.indices.map { number in
      let own = voices[number]
      let others = CutList(
        keeping: voices.indices.filter { $0 != number }.flatMap { voices[$0].kept })
      let both = own.intersection(others).kept
      several += both
      let participant = plan.participants[number]
      let turns = plan.turns.filter { $0.participant == participant.id }
      return Person(
        name: participant.name, seconds: own.kept.seconds,
        share: total > 0 ? own.kept.seconds / total : 0, turns: turns.count,
        longestTurn: turns.map(\.interval.duration.seconds).max() ?? 0, overlapping: both.seconds)
    }
    duration = plan.shown.duration.seconds
    overlaps = Stretches(CutList(keeping: several).kept)
    let quiet = CutList(cutting: voices.flatMap(\.kept)).intersection(whole).kept
    silences = Stretches(quiet.filter { $0.duration >= Self.shortestSilence })
  }
}

extension [TimeRange] {
  fileprivate var seconds: Double { reduce(0) { $0 + $1.duration.seconds } }
}
