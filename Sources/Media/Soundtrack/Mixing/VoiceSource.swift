package import TesseraCodecs
package import TesseraTimeline

/// The sound of one track of a file and its place in the mix.
package struct VoiceSource: Hashable, Sendable, Codable {
  /// The sound.
  package var sound: SoundSource
  /// When each of its packets is heard, relative to the file's beginning.
  package var clock: ClockFit
  /// Where the file's beginning lies on the timeline; negative where it is cut off.
  package var start: MediaTime
  /// Timeline seconds in a second of the file, counted from ``start`` on: other than 1 where the
  /// recorder's clock ran slow or fast.
  package var rate: Ratio
  /// When the voice is heard, on the timeline. It is opened at the beginning and closed at the end
  /// of it.
  package var interval: TimeRange
  /// How loud it is over the timeline, counted from ``start``; nil for as it is.
  package var gain: GainCurve?
  /// The side that all of it is on, which is heard in the middle; nil where it is heard as it is.
  package var side: SoundSide?

  /// The file.
  package var path: String { sound.path }

  /// `sound`, whose file begins at `start`, and whose packets are heard as `clock` says.
  package init(
    _ sound: SoundSource, clock: ClockFit, start: MediaTime, interval: TimeRange,
    rate: Ratio = .one, gain: GainCurve? = nil
  ) {
    (self.sound, self.clock) = (sound, clock)
    (self.start, self.interval) = (start, interval)
    (self.rate, self.gain) = (rate, gain)
  }
}

extension VoiceSource {
  /// The samples that the track has, counted at ``Soundtrack/sampleRate``.
  package var sampleCount: Double { sound.length(before: sound.track.packets.count) }

  /// Where the sample lies on the timeline that has `count` samples of the track before it, counted
  /// at ``Soundtrack/sampleRate``.
  package func time(after count: Double) -> MediaTime {
    var (low, high) = (0, clock.runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      let isBefore = sound.length(before: clock.runs[middle].firstBlock) <= count
      (low, high) = isBefore ? (middle, high) : (low, middle)
    }
    let run = clock.runs[low]
    let position = run.position(after: count - sound.length(before: run.firstBlock)) * rate.value
    return start
      + MediaTime(sample: Int64(saturating: position.rounded()), rate: Soundtrack.sampleRate)
  }
}
