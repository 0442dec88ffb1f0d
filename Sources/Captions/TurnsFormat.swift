import TesseraDocuments
package import TesseraTimeline

/// A format of files of speaker turns. The name's ending says which.
package enum TurnsFormat: String, CaseIterable, Sendable {
  /// WebVTT.
  case vtt
  /// Rich Transcription Time Marked, of NIST's evaluations of diarization.
  case rttm
  /// Praat's, a tier a person.
  case textgrid = "TextGrid"
  /// ELAN's, a tier a person.
  case eaf
  /// Values between commas, with a row of headings.
  case csv
  /// Values between tabs, likewise.
  case tsv
  /// An object with a list of turns.
  case json

  /// The format of a file whose name ends so, in letters of any size.
  package init?(ending: String) {
    let known = Self.allCases.first { $0.rawValue.lowercased() == ending.lowercased() }
    guard let known else { return nil }
    self = known
  }

  /// `turns`, whose texts are not asked, of a recording that is called `name` and ends at `end`.
  package func text(_ turns: Transcript, name: String, end: MediaTime) -> String {
    let rows = turns.lines.map { Row(start: $0.from, end: $0.to, person: $0.speaker ?? "unknown") }
    return switch self {
    case .vtt: turns.webVTT
    case .rttm: rows.map { $0.timeMarked(name) }.joined()
    case .textgrid: Self.textGrid(rows, end: max(end, rows.map(\.end).max() ?? .zero))
    case .eaf: Self.annotations(rows)
    case .csv: Self.table(rows, ",") { $0.quoted }
    case .tsv: Self.table(rows, "\t") { $0.plain }
    case .json: Self.document(rows)
    }
  }

  private struct Row {
    var start, end: MediaTime
    var person: String

    /// `SPEAKER file channel onset duration <NA> <NA> name <NA> <NA>`, of words without blanks.
    func timeMarked(_ file: String) -> String {
      let words = [file, person].map { text in
        String(text.map { $0.isWhitespace ? "_" : $0 })
      }
      return "SPEAKER \(words[0]) 1 \(start) \(end - start) <NA> <NA> \(words[1]) <NA> <NA>\n"
    }
  }

  /// The people in the order of their first turns, each with the own ones.
  private static func tiers(_ rows: [Row]) -> [(person: String, rows: [Row])] {
    var (order, own) = ([String](), [String: [Row]]())
    for row in rows {
      if own[row.person] == nil { order.append(row.person) }
      own[row.person, default: []].append(row)
    }
    return order.map { ($0, own[$0] ?? []) }
  }

  private static func table(
    _ rows: [Row], _ mark: String, _ cell: (String) -> String
  ) -> String {
    let lines =
      [["start", "end", "speaker"]] + rows.map { ["\($0.start)", "\($0.end)", cell($0.person)] }
    return lines.map { $0.joined(separator: mark) + "\n" }.joined()
  }

  private static func document(_ rows: [Row]) -> String {
    let turns = rows.map { row in
      "    {\"start\": \(row.start), \"end\": \(row.end), \"speaker\": \(row.person.inJSON)}"
    }
    return "{\n  \"turns\": [\n\(turns.joined(separator: ",\n"))\n  ]\n}\n"
  }

  /// Tiers of intervals from 0 to the end without a gap, as Praat has them.
  private static func textGrid(_ rows: [Row], end: MediaTime) -> String {
    let tiers = tiers(rows)
    var text = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n"
    text += "xmin = 0\nxmax = \(end)\ntiers? <exists>\nsize = \(tiers.count)\nitem []:\n"
    for (number, tier) in tiers.enumerated() {
      var (intervals, last) = ([(MediaTime, MediaTime, String)](), MediaTime.zero)
      for row in tier.rows where row.end > last {
        let start = max(row.start, last)
        if start > last { intervals.append((last, start, "")) }
        intervals.append((start, row.end, tier.person))
        last = row.end
      }
      if last < end { intervals.append((last, end, "")) }
      let name = tier.person.plain.replacing("\"", with: "\"\"")
      text += "    item [\(number + 1)]:\n        class = \"IntervalTier\"\n"
      text += "        name = \"\(name)\"\n        xmin = 0\n        xmax = \(end)\n"
      text += "        intervals: size = \(intervals.count)\n"
      for (index, interval) in intervals.enumerated() {
        text += "        intervals [\(index + 1)]:\n            xmin = \(interval.0)\n"
        text += "            xmax = \(interval.1)\n"
        text += "            text = \"\(interval.2.isEmpty ? "" : name)\"\n"
      }
    }
    return text
  }

  /// ELAN's annotation format, 3.0: times in milliseconds.
  private static func annotations(_ rows: [Row]) -> String {
    let tiers = tiers(rows)
    var (slots, layers, number) = ("", "", 0)
    for tier in tiers {
      let name = tier.person.plain.asMarkup
      layers +=
        "  <TIER LINGUISTIC_TYPE_REF=\"default-lt\" PARTICIPANT=\"\(name)\" TIER_ID=\"\(name)\">\n"
      for row in tier.rows {
        number += 1
        let ids = ["ts\(2 * number - 1)", "ts\(2 * number)"]
        for (id, time) in zip(ids, [row.start, row.end]) {
          let milliseconds = time.sample(atRate: 1000)
          slots += "    <TIME_SLOT TIME_SLOT_ID=\"\(id)\" TIME_VALUE=\"\(milliseconds)\"/>\n"
        }
        layers += """
              <ANNOTATION>
                <ALIGNABLE_ANNOTATION ANNOTATION_ID="a\(number)" TIME_SLOT_REF1="\(ids[0])" TIME_SLOT_REF2="\(ids[1])">
                  <ANNOTATION_VALUE>\(name)</ANNOTATION_VALUE>
                </ALIGNABLE_ANNOTATION>
              </ANNOTATION>

          """
      }
      layers += "  </TIER>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
        <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
        <TIME_ORDER>
      \(slots)  </TIME_ORDER>
      \(layers)  <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
      </ANNOTATION_DOCUMENT>

      """
  }
}

extension Transcript {
  /// The transcript as SubRip, with the speaker's name before what is said.
  package var subRip: String {
    lines.enumerated().map { number, line in
      let stamps = [line.from, line.to].map { $0.cueStamp.replacing(".", with: ",") }
      let text = (line.speaker.map { "\($0): " } ?? "") + line.text
      return "\(number + 1)\n\(stamps[0]) --> \(stamps[1])\n\(text.plain)\n"
    }.joined(separator: "\n")
  }

  /// The transcript as JSON: an object with segments, as recognizers write them.
  package var json: String {
    let segments = lines.map { line in
      let speaker = line.speaker.map { "\"speaker\": \($0.inJSON), " } ?? ""
      let words = line.words.map {
        "      {\"start\": \($0.from), \"end\": \($0.to), \"word\": \($0.text.inJSON)}"
      }
      let list = words.isEmpty ? "" : ", \"words\": [\n\(words.joined(separator: ",\n"))\n    ]"
      return
        "    {\"start\": \(line.from), \"end\": \(line.to), \(speaker)\"text\": \(line.text.inJSON)\(list)}"
    }
    return "{\n  \"segments\": [\n\(segments.joined(separator: ",\n"))\n  ]\n}\n"
  }
}

extension String {
  /// The text on one line, without tabs.
  fileprivate var plain: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) }

  /// The text as a cell between commas.
  fileprivate var quoted: String {
    contains { ",\"\n\r".contains($0) || $0.isNewline }
      ? "\"\(plain.replacing("\"", with: "\"\""))\"" : self
  }

  fileprivate var inJSON: String { Document.text(self).json() }
}
