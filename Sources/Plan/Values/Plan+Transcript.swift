package import TesseraCaptions
import TesseraMedia
package import TesseraTimeline

extension Plan {
  /// What is said in the output, at its times, by the names that hold then.
  package var transcript: Transcript { transcript(linesInOutput) }

  /// What is said in the whole call, at its times.
  package var wholeTranscript: Transcript {
    transcript(lines.map { ($0, $0.interval) })
  }

  /// The lines of which something is in the output, with its times there.
  package var linesInOutput: [(line: Line, interval: TimeRange)] {
    let times = times
    return lines.compactMap { line in times.output(line.interval).map { (line, $0) } }
  }

  /// What the speaker of `line` is called then; nil where nobody knows.
  package func speaker(of line: Line) -> String? {
    let rate = output.video.frameRate
    return line.participant.map { name(of: $0, in: rate.firstFrame(showing: line.interval.start)) }
      ?? line.speaker
  }

  private func transcript(_ lines: [(line: Line, interval: TimeRange)]) -> Transcript {
    Transcript(
      lines.map { line, interval in
        Transcript.Line(
          speaker(of: line), from: interval.start, to: interval.end, line.text)
      })
  }
}
