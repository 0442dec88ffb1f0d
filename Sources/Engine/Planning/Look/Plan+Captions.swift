import TesseraCaptions
import TesseraCodecs
import TesseraLettering
import TesseraPlan
import TesseraTimeline

extension Plan {
  /// Adds the part of `tracks` that is rendered to the output, and a note for a track of which
  /// nothing is.
  mutating func addCaptions(_ tracks: [CaptionTrack]) {
    let spoken = tracks.contains(where: \.isTranscript) ? wholeTranscript.cues() : []
    for var track in tracks {
      if track.isTranscript { track.cues = spoken }
      let text = track.text(at: times)
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
  /// What an output that has those `times` shows of it, but for what would only flash there.
  fileprivate func text(at times: CutTimes) -> TextTrack {
    let cues = Lettering.stretches(cues).compactMap { cue -> TextTrack.Cue? in
      let whole = TimeRange(start: cue.from, end: cue.to)
      guard let shown = times.output(whole),
        shown.duration >= min(Self.shortest, whole.duration)
      else { return nil }
      return TextTrack.Cue(
        start: Self.milliseconds(shown.start), end: Self.milliseconds(shown.end),
        text: cue.lines.joined(separator: "\n"))
    }
    var track = TextTrack(cues, language: language, title: title)
    (track.isDefault, track.isSpoken) = (isDefault, isTranscript)
    return track
  }

  /// What is left of a caption is shown for so long at least.
  private static let shortest = MediaTime(nanoseconds: 200_000_000)

  private static func milliseconds(_ time: MediaTime) -> Int64 {
    (time.nanoseconds +| 500_000) / 1_000_000
  }
}
