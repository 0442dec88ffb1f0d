import TesseraDocuments
import TesseraTimeline

/// A file format for speaker turns, selected by the file's extension.
package enum DiarizationFormat: String, CaseIterable, Sendable {
  /// WebVTT.
  case vtt
  /// Rich Transcription Time Marked, from NIST's diarization evaluations.
  case rttm
  /// Praat's TextGrid: tiers of speech by participant, of the active speaker, and of words.
  case textgrid = "TextGrid"
  /// ELAN's annotation format, with the tiers of a TextGrid.
  case eaf
  /// Comma-separated values with a header row.
  case csv
  /// Tab-separated values with a header row.
  case tsv
  /// A JSON object with a list of turns.
  case json

  /// Selects the format with the file extension `ending`, in any case; `nil` for an unknown
  /// extension.
  package init?(ending: String) {
    let known = Self.allCases.first { $0.rawValue.lowercased() == ending.lowercased() }
    guard let known else { return nil }
    self = known
  }

  /// Writes `record` as a file in this format.
  package func text(_ record: Diarization) -> String {
    switch self {
    case .vtt: record.turns.webVTT
    case .rttm: record.speech.map { Self.timeMarked($0, of: record.name) }.joined()
    case .textgrid: Self.textGrid(record)
    case .eaf: Self.annotations(record)
    case .csv: Self.table(record, ",") { $0.quoted }
    case .tsv: Self.table(record, "\t") { $0.plain }
    case .json: Self.document(record)
    }
  }

  /// Returns an RTTM line: `SPEAKER file channel onset duration <NA> <NA> name <NA> <NA>`. Blanks
  /// become `_`.
  private static func timeMarked(_ stretch: Diarization.SpeakerSegment, of file: String) -> String {
    let words = [file, stretch.person].map { text in
      text.isEmpty ? "unknown" : String(text.map { $0.isWhitespace ? "_" : $0 })
    }
    return "SPEAKER \(words[0]) 1 \(stretch.start) \(stretch.end - stretch.start) "
      + "<NA> <NA> \(words[1]) <NA> <NA>\n"
  }

  private static func table(
    _ record: Diarization, _ mark: String, _ cell: (String) -> String
  ) -> String {
    let lines = record.rows.map { row, kind in
      ["\(row.start)", "\(row.end)", cell(row.person), kind]
    }
    return ([["start", "end", "speaker", "kind"]] + lines).map {
      $0.joined(separator: mark) + "\n"
    }.joined()
  }

  private static func document(_ record: Diarization) -> String {
    let turns = record.rows.map { row, kind in
      "    {\"start\": \(row.start), \"end\": \(row.end), \"speaker\": \(row.person.inJSON), "
        + "\"kind\": \"\(kind)\"}"
    }
    return "{\n  \"turns\": [\n\(turns.joined(separator: ",\n"))\n  ]\n}\n"
  }

  /// Returns a TextGrid. Praat requires intervals from 0 to the end without gaps.
  private static func textGrid(_ record: Diarization) -> String {
    let tiers = record.tiers
    let end = max(record.duration, tiers.compactMap { $0.intervals.last?.end }.max() ?? .zero)
    var text = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n"
    text += "xmin = 0\nxmax = \(end)\ntiers? <exists>\nsize = \(tiers.count)\nitem []:\n"
    for (number, tier) in tiers.enumerated() {
      var (intervals, last) = ([(MediaTime, MediaTime, String)](), MediaTime.zero)
      for interval in tier.intervals {
        if interval.start > last { intervals.append((last, interval.start, "")) }
        intervals.append(interval)
        last = interval.end
      }
      if last < end { intervals.append((last, end, "")) }
      text += "    item [\(number + 1)]:\n        class = \"IntervalTier\"\n"
      text += "        name = \"\(tier.name.inPraat)\"\n        xmin = 0\n        xmax = \(end)\n"
      text += "        intervals: size = \(intervals.count)\n"
      for (index, interval) in intervals.enumerated() {
        text += "        intervals [\(index + 1)]:\n            xmin = \(interval.0)\n"
        text += "            xmax = \(interval.1)\n"
        text += "            text = \"\(interval.2.inPraat)\"\n"
      }
    }
    return text
  }

  /// Returns the file in ELAN's annotation format 3.0: times in milliseconds, time slots in order
  /// of time.
  private static func annotations(_ record: Diarization) -> String {
    let tiers = record.tiers
    let bounds = tiers.flatMap { $0.intervals }.flatMap { [$0.start, $0.end] }.map {
      $0.sample(atRate: 1000)
    }
    var slots = [Int](repeating: 0, count: bounds.count)
    var order = ""
    let sorted = bounds.indices.sorted { (bounds[$0], $0) < (bounds[$1], $1) }
    for (place, bound) in sorted.enumerated() {
      slots[bound] = place + 1
      order +=
        "    <TIME_SLOT TIME_SLOT_ID=\"ts\(place + 1)\" TIME_VALUE=\"\(bounds[bound])\"/>\n"
    }
    var (layers, number) = ("", 0)
    for tier in tiers {
      let person = tier.participant.plain.asMarkup
      layers += "  <TIER LINGUISTIC_TYPE_REF=\"default-lt\" "
      layers += person.isEmpty ? "" : "PARTICIPANT=\"\(person)\" "
      layers += "TIER_ID=\"\(tier.name.plain.asMarkup)\">\n"
      for interval in tier.intervals {
        let ids = (slots[2 * number], slots[2 * number + 1])
        number += 1
        layers += """
              <ANNOTATION>
                <ALIGNABLE_ANNOTATION ANNOTATION_ID="a\(number)" TIME_SLOT_REF1="ts\(ids.0)" TIME_SLOT_REF2="ts\(ids.1)">
                  <ANNOTATION_VALUE>\(interval.text.plain.asMarkup)</ANNOTATION_VALUE>
                </ALIGNABLE_ANNOTATION>
              </ANNOTATION>

          """
      }
      layers += "  </TIER>\n"
    }
    let medium = record.media.map { media in
      "      <MEDIA_DESCRIPTOR MEDIA_URL=\"\(media.url.asMarkup)\" MIME_TYPE=\"\(media.type)\""
        + (media.relative.map { " RELATIVE_MEDIA_URL=\"\($0.asMarkup)\"" } ?? "") + "/>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
        <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
      \(medium ?? "")  </HEADER>
        <TIME_ORDER>
      \(order)  </TIME_ORDER>
      \(layers)  <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
      </ANNOTATION_DOCUMENT>

      """
  }
}

extension Transcript {
  /// The transcript as SubRip, with the speaker's name before the text.
  package var subRip: String {
    lines.enumerated().map { number, line in
      let stamps = [line.from, line.to].map { $0.cueStamp.replacing(".", with: ",") }
      let text = (line.speaker.map { "\($0): " } ?? "") + line.text
      return "\(number + 1)\n\(stamps[0]) --> \(stamps[1])\n\(text.plain)\n"
    }.joined(separator: "\n")
  }

  /// The transcript as JSON: an object with segments, as speech recognizers write it.
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

  /// The text escaped for Praat.
  fileprivate var inPraat: String { plain.replacing("\"", with: "\"\"") }

  /// The text as a CSV cell, quoted if necessary.
  fileprivate var quoted: String {
    contains { ",\"\n\r".contains($0) || $0.isNewline }
      ? "\"\(plain.replacing("\"", with: "\"\""))\"" : self
  }

  fileprivate var inJSON: String { DocumentValue.text(self).json() }
}
