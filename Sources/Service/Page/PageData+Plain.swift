import Foundation
import TesseraTimeline

extension PageData {
  /// The maximum number of transcript lines in the page's markup.
  static let mostPlainLines = 2000

  /// The call as markup for browsers without scripts: a player, the names, and the transcript of up
  /// to ``mostPlainLines`` lines.
  var plainMarkup: String {
    let source = media.src.asMarkup
    let file = media.src.split(separator: "/").last.map(String.init) ?? media.src
    let names = people.filter { $0.isScreenOnly != true }.map { "<li>\($0.name.asMarkup)</li>" }
    var parts = [
      "<\(media.kind) controls preload=\"metadata\" src=\"\(source)\"></\(media.kind)>",
      "<p><a href=\"\(source)\">\((file.removingPercentEncoding ?? file).asMarkup)</a></p>",
    ]
    if !names.isEmpty { parts.append("<h2>People</h2><ul>\(names.joined())</ul>") }
    if !lines.isEmpty { parts.append("<h2>Transcript</h2>") }
    if lines.count <= Self.mostPlainLines {
      parts += plainLines
    } else {
      parts.append("<p>Turn on scripts to read the transcript, which has \(lines.count) lines.</p>")
    }
    return parts.joined(separator: "\n")
  }

  private var plainLines: [String] {
    var (time, last) = (0, -1)
    return lines.map { line in
      let person = line.numbers[0]
      time = time.addingReportingOverflow(line.numbers[1]).partialValue
      defer { last = person }
      let name =
        people.indices.contains(person)
        ? people[person].name
        : speakers.indices.contains(person - people.count) ? speakers[person - people.count] : ""
      let clock = MediaTime(seconds: time / 1000).clock
      let head = person == last ? "" : "<b><bdi>\(name.asMarkup)</bdi> <time>\(clock)</time></b> "
      return "<p>\(head)\(line.text.asMarkup)</p>"
    }
  }
}
