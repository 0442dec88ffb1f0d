import Foundation
import TesseraMessages
import TesseraPlanning
import TesseraTimeline

/// Formats the inspection of a call as text: participants with their tracks, then errors, warnings
/// and notes.
enum CallInspectionText {
  static func text(_ found: CallInspection) -> String {
    let count = found.people.count
    let title = found.title.map { ", \"\($0)\"" } ?? ""
    var lines = [
      found.path.commandLine,
      "  \(count) \(count == 1 ? "person" : "people"), \(clock(found.duration))\(title)",
    ]
    lines += found.people.flatMap(person)
    lines += found.errors.map { "  error: \($0.commandLine)" }
    lines += found.warnings.map { "  warning: \($0.commandLine)" }
    lines += found.notes.map { "  note: \($0.commandLine)" }
    return String.lines(lines)
  }

  private static func person(_ person: CallInspection.Person) -> [String] {
    let id = person.id == person.name ? "" : " (\(person.id))"
    return ["  \(person.name)\(id), named by \(person.nameSource)"] + person.tracks.flatMap(track)
  }

  private static func track(_ track: CallInspection.Track) -> [String] {
    let end = track.end.map { " to \(clock($0))" } ?? " on"
    return [
      "    \(track.kind) from \(clock(track.start))\(end): \(track.file), \(track.placedBy.commandLine)"
    ]
      + (track.levels ?? []).map { "      \(LevelText.text($0))" }
  }

  private static func clock(_ seconds: Double) -> String {
    MediaTime(nanoseconds: Int64((seconds * 1e9).rounded())).roundedToTenths.clockWithTenths
  }
}
