import TesseraTimeline

extension Transcript {
  /// The transcript as WebVTT. Voice tags contain the speakers.
  package var webVTT: String {
    let cues = lines.map { line in
      let voice = line.speaker.map { Self.voiceTag(Self.cueText($0)) } ?? ""
      return
        "\(line.from.cueStamp) --> \(line.to.cueStamp)\n\(voice)\(Self.cueText(line.text))\n"
    }
    return (["WEBVTT\n"] + cues).joined(separator: "\n")
  }

  /// Returns the transcript as plain text, one paragraph for consecutive lines of a speaker.
  package func plainText(title: String?) -> String {
    let heading = title.map { [Self.oneLine($0)] } ?? []
    let text = paragraphs.map { line in
      "[\(line.from.clock)] \(line.speaker.map { "\(Self.oneLine($0)): " } ?? "")\(line.text)"
    }
    return (heading + text).joined(separator: "\n\n") + "\n"
  }

  /// The lines, with consecutive lines of a speaker joined.
  private var paragraphs: [Line] {
    paragraphRanges.map { range in
      var paragraph = lines[range.lowerBound]
      paragraph.text = lines[range].map(\.text).joinedWords
      return paragraph
    }
  }

  /// The index ranges of consecutive lines of a speaker.
  var paragraphRanges: [Range<Int>] {
    let starts = lines.indices.filter { $0 == 0 || lines[$0 - 1].speaker != lines[$0].speaker }
    return zip(starts, starts.dropFirst() + [lines.count]).map { $0..<$1 }
  }

  static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// Returns a voice tag. A space after a name with a final dash avoids `->`, which would end the
  /// cue.
  private static func voiceTag(_ name: String) -> String {
    name.hasSuffix("-") ? "<v \(name) >" : "<v \(name)>"
  }

  /// Escapes text for a WebVTT cue.
  private static func cueText(_ text: String) -> String {
    oneLine(text).map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
  }
}
