package import TesseraPlan
import TesseraTimeline

/// Speaking times of each participant in a call, measured in their own voices.
package struct SpeechStatistics: Hashable, Sendable, Codable {
  /// The speaking times of one participant.
  package struct Person: Hashable, Sendable, Codable {
    package var name: String
    /// The time in which the person speaks, in seconds, regardless of who has the floor.
    package var seconds: Double
    /// The person's fraction of everyone's total speaking time, `0...1`.
    package var share: Double
    /// The number of turns, and the duration of the longest in seconds.
    package var turns: Int
    package var longestTurn: Double
    /// The time in seconds in which another participant speaks at once.
    package var overlapping: Double
  }

  /// Statistics of stretches of the call.
  package struct StretchStatistics: Hashable, Sendable, Codable {
    package var count: Int
    /// The total duration of the stretches in seconds.
    package var seconds: Double
    /// The duration of the longest stretch in seconds.
    package var longest: Double

    init(_ ranges: [TimeRange]) {
      count = ranges.count
      seconds = ranges.seconds
      longest = ranges.map(\.duration.seconds).max() ?? 0
    }
  }

  /// The duration of the call in seconds.
  package var duration: Double
  package var people: [Person]
  /// The stretches in which several people speak at once.
  package var overlaps: StretchStatistics
  /// The stretches of at least 2 s in which nobody speaks.
  package var silences: StretchStatistics

  private static let shortestSilence = MediaTime(seconds: 2)

  /// Computes the statistics of `plan`, which must have been made with speakers' turns.
  package init(_ plan: Plan) {
    let whole = KeptRanges(keeping: [plan.shown])
    let voices = plan.participants.map { KeptRanges(keeping: $0.speech).intersection(whole) }
    let total = voices.map(\.kept.seconds).reduce(0, +)
    var several = [TimeRange]()
    people = plan.participants.indices.map { number in
      let own = voices[number]
      let others = KeptRanges(
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
    overlaps = StretchStatistics(KeptRanges(keeping: several).kept)
    let quiet = KeptRanges(cutting: voices.flatMap(\.kept)).intersection(whole).kept
    silences = StretchStatistics(quiet.filter { $0.duration >= Self.shortestSilence })
  }
}

extension [TimeRange] {
  fileprivate var seconds: Double { reduce(0) { $0 + $1.duration.seconds } }
}
