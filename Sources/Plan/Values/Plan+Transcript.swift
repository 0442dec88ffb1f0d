package import TesseraCaptions
import TesseraMedia
package import TesseraTimeline

extension Plan {
  /// What is said in the rendered part, at times from its beginning, by the names that hold then.
  package var transcript: Transcript { transcript(lines(in: shown), from: shown.start) }

  /// What is said in the whole call, likewise.
  package var wholeTranscript: Transcript { transcript(lines, from: .zero) }

  /// The lines of which something lies in `interval`, cut to it.
  package func lines(in interval: TimeRange) -> [Line] {
    lines.compactMap { line in
      var line = line
      let start = max(line.interval.start, interval.start)
      line.interval = TimeRange(start: start, end: min(line.interval.end, interval.end))
      return line.interval.duration > .zero ? line : nil
    }
  }

  /// What the speaker of `line` is called then; nil where nobody knows.
  package func speaker(of line: Line) -> String? {
    let rate = output.video.frameRate
    return line.participant.map { name(of: $0, in: rate.firstFrame(showing: line.interval.start)) }
      ?? line.speaker
  }

  private func transcript(_ lines: [Line], from start: MediaTime) -> Transcript {
    Transcript(
      lines.map { line in
        Transcript.Line(
          speaker(of: line), from: line.interval.start - start, to: line.interval.end - start,
          line.text)
      })
  }
}
