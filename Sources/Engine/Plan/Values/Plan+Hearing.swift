package import TesseraCaptions
import TesseraCodecs
import TesseraTimeline

extension Plan {
  /// The times of the call at which each participant is audible in the output.
  package struct AudibleTimes {
    fileprivate let cut: FrameSelection
    fileprivate let rate: FrameRate
    fileprivate let mutes: [ParticipantID: KeptRanges]

    /// True if the middle of `word`, spoken by `speaker`, is audible in the output.
    package func contains(_ word: Transcript.Word, of speaker: ParticipantID?) -> Bool {
      let middle = TimeRange(start: word.from, end: word.to).middle
      return !word.isStruck && cut.output(of: rate.firstFrame(showing: middle)) != nil
        && !(speaker.flatMap { mutes[$0] }?.contains(middle) ?? false)
    }

    /// Returns `line` reduced to its audible words. A line without word times is kept whole, unless
    /// its speaker is muted for all of it.
    package func heard(_ line: TranscriptLine) -> TranscriptLine {
      var line = line
      if line.words.isEmpty {
        let own = line.participant.flatMap { mutes[$0] }
        if own?.clipped(to: line.interval) == [line.interval] { line.text = "" }
      } else if !line.text.isEmpty {
        let kept = line.words.filter { contains($0, of: line.participant) }
        guard kept.count < line.words.count(where: { !$0.isStruck }) else { return line }
        line.text = kept.map(\.text).joinedWords
      }
      return line
    }
  }

  /// The times of the call at which each participant is audible in the output.
  package var hearing: AudibleTimes {
    let mutes = Dictionary(grouping: self.mutes, by: \.participant)
    return AudibleTimes(
      cut: cut, rate: output.video.frameRate,
      mutes: mutes.mapValues { KeptRanges(keeping: $0.map(\.interval)) })
  }
}
