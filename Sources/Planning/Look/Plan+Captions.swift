import TesseraCaptions
import TesseraJobs
import TesseraLettering
import TesseraMedia
import TesseraPlan
import TesseraTimeline

extension Plan {
  /// Adds the part of `tracks` that is rendered to the output, and a note for a track of which
  /// nothing is.
  mutating func addCaptions(_ tracks: [CaptionTrack]) {
    let spoken = tracks.contains(where: \.isTranscript) ? wholeTranscript.cues() : []
    for var track in tracks {
      if track.isTranscript { track.cues = spoken }
      let text = track.text(in: shown)
      if text.cues.isEmpty {
        notes.append(
          "no caption of \(track.name) lies in what is rendered; the output is without that track.")
      } else {
        output.captions.append(text)
      }
    }
  }
}

extension CaptionTrack {
  /// What is read of it in `shown`, counted from there.
  fileprivate func text(in shown: TimeRange) -> TextTrack {
    let cues = Lettering.stretches(cues).map { cue in
      TextTrack.Cue(
        start: Self.milliseconds(max(cue.from, shown.start) - shown.start),
        end: Self.milliseconds(min(cue.to, shown.end) - shown.start),
        text: cue.lines.joined(separator: "\n"))
    }
    return TextTrack(cues, language: language, title: title)
  }

  private static func milliseconds(_ time: MediaTime) -> Int64 {
    (time.nanoseconds +| 500_000) / 1_000_000
  }
}
