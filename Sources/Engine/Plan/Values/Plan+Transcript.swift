package import TesseraCaptions
import TesseraCodecs
package import TesseraTimeline

extension Plan {
  /// The audible text of the output, at the output's times and with the speakers' names at those
  /// times.
  package var transcript: Transcript { transcript(linesInOutput) }

  /// All text of the call, at the call's times.
  package var wholeTranscript: Transcript {
    transcript(lines.lazy.filter { !$0.text.isEmpty }.map { ($0, $0.interval) })
  }

  /// All words of the call. Words that the output leaves out are struck: the transcript to edit in
  /// a text editor.
  package var editableTranscript: Transcript {
    let hearing = self.hearing
    return Self.editable(lines) { id in
      participants.first { $0.id == id }?.name
    } isHeard: {
      // Words in muted intervals are not struck: reading the transcript back would turn them into
      // cuts.
      hearing.contains($0, of: nil)
    }
  }

  /// The transcript as Markdown: all words of the call in editable form, or, if parts are cut or
  /// muted or words are struck, the audible text at the output's times.
  package var transcriptMarkdown: String {
    let isWhole =
      cut.count == frameCount && mutes.isEmpty
      && !lines.contains { $0.words.contains(where: \.isStruck) }
    return (isWhole ? editableTranscript : transcript)
      .markdown(title: output.title, isEditable: isWhole)
  }

  /// Returns `lines` for editing: with their words, and one name for each speaker. Words that are
  /// not `isHeard` are struck.
  package static func editable(
    _ lines: [TranscriptLine], name: (ParticipantID) -> String?,
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

  /// The lines that are at least partly in the output, with their times there.
  package var linesInOutput: [(line: TranscriptLine, interval: TimeRange)] {
    let times = times
    return lines.compactMap { line in
      line.text.isEmpty ? nil : times.output(line.interval).map { (line, $0) }
    }
  }

  /// Returns the speaker's name at the time of `line`; nil if the speaker is unknown.
  package func speaker(of line: TranscriptLine) -> String? {
    let rate = output.video.frameRate
    return line.participant.map { name(of: $0, in: rate.firstFrame(showing: line.interval.start)) }
      ?? line.speaker
  }

  private func transcript(
    _ lines: some Sequence<(line: TranscriptLine, interval: TimeRange)>
  ) -> Transcript {
    Transcript(
      lines.map { line, interval in
        Transcript.Line(
          speaker(of: line), from: interval.start, to: interval.end, line.text)
      })
  }
}

extension Plan.TranscriptLine {
  /// Returns the line as a transcript's line, with its words.
  package func spoken(by speaker: String?) -> Transcript.Line {
    var line = Transcript.Line(speaker, from: interval.start, to: interval.end, text)
    line.words = words
    return line
  }

  /// The line's words. If word times are unknown, the whole text is one word.
  package var wordsOrWhole: [Transcript.Word] {
    words.isEmpty ? [Transcript.Word(text, from: interval.start, to: interval.end)] : words
  }

  /// The end times of sentences in the line, by punctuation.
  package var sentenceEnds: [MediaTime] {
    let marks = ".?!\u{2026}\u{3002}\u{ff01}\u{ff1f}"
    return wordsOrWhole.filter { $0.text.last.map(marks.contains) == true }.map(\.to)
  }
}
