package import TesseraCaptions
import TesseraCodecs
package import TesseraTimeline

extension Plan {
  /// What is said in the output, at its times, by the names that hold then.
  package var transcript: Transcript { transcript(linesInOutput) }

  /// What is said in the whole call, at its times.
  package var wholeTranscript: Transcript {
    transcript(lines.lazy.filter { !$0.text.isEmpty }.map { ($0, $0.interval) })
  }

  /// The words of the whole call, of which those that are not heard are struck: the transcript that
  /// people change in an editor.
  package var editableTranscript: Transcript {
    let hearing = self.hearing
    return Self.editable(lines) { id in
      participants.first { $0.id == id }?.name
    } isHeard: {
      // Mutes of the session are not to be struck: they would become cuts.
      hearing.contains($0, of: nil)
    }
  }

  /// What is said as Markdown: the whole call's, which somebody may strike words in, or where parts
  /// are cut what is left, by the times of the output.
  package var transcriptMarkdown: String {
    let isWhole =
      cut.count == frameCount && mutes.isEmpty
      && !lines.contains { $0.words.contains(where: \.isStruck) }
    return (isWhole ? editableTranscript : transcript)
      .markdown(title: output.title, isEditable: isWhole)
  }

  /// `lines` as they are edited: with their words, by the names that people have all along.
  package static func editable(
    _ lines: [Line], name: (ParticipantID) -> String?,
    isHeard: (Transcript.Word) -> Bool = { !$0.isStruck }
  ) -> Transcript {
    var editable = Transcript()
    editable.lines = lines.map { line in
      var said = line.spoken(by: line.participant.flatMap(name) ?? line.speaker)
      said.words = said.editableWords.map { word in
        var word = word
        word.isStruck = !isHeard(word)
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
  /// The line as one of a transcript, with its words.
  package func spoken(by speaker: String?) -> Transcript.Line {
    var line = Transcript.Line(speaker, from: interval.start, to: interval.end, text)
    line.words = words
    return line
  }

  /// The words; where their times are unknown, all of the text as one.
  package var wordsOrWhole: [Transcript.Word] {
    words.isEmpty ? [Transcript.Word(text, from: interval.start, to: interval.end)] : words
  }

  /// When sentences of the line end, as far as marks in it say.
  package var sentenceEnds: [MediaTime] {
    let marks = ".?!\u{2026}\u{3002}\u{ff01}\u{ff1f}"
    return wordsOrWhole.filter { $0.text.last.map(marks.contains) == true }.map(\.to)
  }
}
