import TesseraCaptions
import TesseraCodecs
import TesseraLettering
import TesseraMessages
import TesseraPlan
import TesseraTimeline

extension Plan {
  /// Adds the rendered part of each caption track to the output. Adds a note for a track without a
  /// caption in that part.
  mutating func addCaptions(_ tracks: [CaptionTrack]) {
    let spoken = tracks.contains(where: \.isTranscript) ? wholeTranscript.cues() : []
    for var track in tracks {
      if track.isTranscript { track.cues = spoken }
      let text = track.text(at: times)
      if text.cues.isEmpty {
        messages.append(
          "no caption of \(file: track.name) is within the rendered part; the output has no such track."
        )
      } else {
        output.captions.append(text)
      }
    }
  }
}

extension CaptionTrack {
  /// Returns the track's captions on the output's timeline, without captions that would only flash
  /// there.
  fileprivate func text(at times: CutTimeMapping) -> SubtitleTrack {
    let cues = LetteringRenderer.stretches(cues).compactMap { cue -> SubtitleTrack.Cue? in
      let whole = TimeRange(start: cue.from, end: cue.to)
      guard let shown = times.output(whole),
        shown.duration >= min(Self.shortest, whole.duration)
      else { return nil }
      return SubtitleTrack.Cue(
        start: Self.milliseconds(shown.start), end: Self.milliseconds(shown.end),
        text: cue.lines.joined(separator: "\n"))
    }
    var track = SubtitleTrack(cues, language: language, title: title)
    (track.isDefault, track.isSpoken) = (isDefault, isTranscript)
    return track
  }

  /// The minimum duration of a caption whose rest was cut.
  private static let shortest = MediaTime(nanoseconds: 200_000_000)

  private static func milliseconds(_ time: MediaTime) -> Int64 {
    (time.nanoseconds +| 500_000) / 1_000_000
  }
}
