import Foundation
import TesseraPlanning
import TesseraTimeline

/// Formats speech statistics as text: a line per participant, then overlaps and silences.
enum SpeechText {
  static func text(_ found: SpeechStatistics) -> String {
    let width = found.people.map(\.name.count).max() ?? 0
    var lines = found.people.sorted { $0.seconds > $1.seconds }.map { person in
      let name = person.name + String(repeating: " ", count: width - person.name.count)
      let percent = Int(saturating: (person.share * 100).rounded())
      return "  \(name)  \(clock(person.seconds))  \(percent) %  "
        + "\(person.turns.counted("turn")), the longest \(clock(person.longestTurn)); "
        + "\(clock(person.overlapping)) with others"
    }
    lines.append("  several at once: \(stretches(found.overlaps))")
    lines.append("  silences of 2 s or more: \(stretches(found.silences))")
    return lines.joined(separator: "\n")
  }

  private static func stretches(_ found: SpeechStatistics.StretchStatistics) -> String {
    guard found.count > 0 else { return "never" }
    return "\(found.count.counted("time")), \(clock(found.seconds)) in all, the "
      + "longest \(clock(found.longest))"
  }

  private static func clock(_ seconds: Double) -> String {
    MediaTime(nanoseconds: Int64(saturating: (seconds * 1e9).rounded()))
      .roundedToTenths.clockWithTenths
  }
}
