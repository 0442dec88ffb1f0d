package import TesseraCaptions
import TesseraMedia
package import TesseraTimeline

extension Plan {
  /// What is said in the output, at its times, by the names that hold then.
  package var transcript: Transcript { transcript(linesInOutput) }

  /// What is said in the whole call, at its times.
  package var wholeTranscript: Transcript {
    transcript(lines.lazy.filter { !$0.text.isEmpty }.map { ($0, $0.interval) })
  }

  /// What is said in the whole call, with what is struck or cut marked as such: what somebody may
  /// change in an editor.
  package var editableTranscript: Transcript {
    let rate = output.video.frameRate
    return Self.editable(lines) { id in
      participants.first { $0.id == id }?.name
    } isCut: { time in
      cut.output(of: rate.firstFrame(showing: time)) == nil
    }
  }

  /// What is said as Markdown: the whole call's, which somebody may strike words in, or where parts
  /// are cut what is left, by the times of the output.
  package var transcriptMarkdown: String {
    let isWhole =
      cut.count == frameCount && !lines.contains { $0.words.contains(where: \.isStruck) }
    return (isWhole ? editableTranscript : transcript)
      .markdown(title: output.title, isEditable: isWhole)
  }

  /// `lines` as they are edited: with their words, by the names that people have all along.
  package static func editable(
    _ lines: [Line], name: (ParticipantID) -> String?, isCut: (MediaTime) -> Bool = { _ in false }
  ) -> Transcript {
    var editable = Transcript()
    editable.lines = lines.map { line in
      var said = Transcript.Line(
        line.participant.flatMap(name) ?? line.speaker, from: line.interval.start,
        to: line.interval.end, line.text)
      said.words = line.words
      said.words = said.timedWords.map { word in
        var word = word
        word.isStruck =
          word.isStruck
          || isCut(MediaTime(nanoseconds: word.from.nanoseconds / 2 +| word.to.nanoseconds / 2))
        return word
      }
      return said
    }
    return editable
  }

  /// The lines of which something is in the output, with its times there.
  package var linesInOutput: [(line: Line, interval: TimeRange)] {
    let times = times
    return lines.compactMap { line in
      line.text.isEmpty ? nil : times.output(line.interval).map { (line, $0) }
    }
  }

  /// What the speaker of `line` is called then; nil where nobody knows.
  package func speaker(of line: Line) -> String? {
    let rate = output.video.frameRate
    return line.participant.map { name(of: $0, in: rate.firstFrame(showing: line.interval.start)) }
      ?? line.speaker
  }

  private func transcript(
    _ lines: some Sequence<(line: Line, interval: TimeRange)>
  ) -> Transcript {
    Transcript(
      lines.map { line, interval in
        Transcript.Line(
          speaker(of: line), from: interval.start, to: interval.end, line.text)
      })
  }
}

extension Plan.Line {
  /// The line as it is read where words in the middle of which `isCut` are left out.
  package func without(what isCut: (MediaTime) -> Bool) -> Plan.Line {
    guard !words.isEmpty, !text.isEmpty else { return self }
    let kept = words.filter { word in
      !word.isStruck
        && !isCut(MediaTime(nanoseconds: word.from.nanoseconds / 2 +| word.to.nanoseconds / 2))
    }
    guard kept.count < words.count(where: { !$0.isStruck }) else { return self }
    var line = self
    line.text = kept.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
    return line
  }
}

extension Plan.Line {
  /// When sentences of the line end, as far as marks in it say.
  package var sentenceEnds: [MediaTime] {
    let marks = ".?!\u{2026}\u{3002}\u{ff01}\u{ff1f}"
    let words =
      words.isEmpty ? [Transcript.Word(text, from: interval.start, to: interval.end)] : words
    return words.filter { $0.text.last.map(marks.contains) == true }.map(\.to)
  }
}
