package import TesseraCodecs
package import TesseraTimeline

/// The sound of one track of a file and its place in the mix.
package struct VoiceSource: Hashable, Sendable, Codable {
  package var sound: SoundSource
  /// The placement of the track's packets, relative to the file's beginning.
  package var clock: VoiceClockFit
  /// The position of the file's beginning on the timeline; negative if the beginning is cut off.
  package var start: MediaTime
  /// The number of timeline seconds for each second of the file, from ``start`` on: 1 unless the
  /// recorder's clock was slow or fast.
  package var rate: Ratio
  /// The interval of the timeline in which the voice is heard. The file is opened at its beginning
  /// and closed at its end.
  package var interval: TimeRange
  /// The gain over time, relative to ``start``; `nil` for unity gain.
  package var gain: GainCurve?
  /// The channel that carries all sound and is copied to both; `nil` if both channels are used
  /// unchanged.
  package var side: StereoChannel?

  package var path: String { sound.path }

  /// Creates a voice of `sound`, whose file begins at `start` of the timeline.
  package init(
    _ sound: SoundSource, clock: VoiceClockFit, start: MediaTime, interval: TimeRange,
    rate: Ratio = .one, gain: GainCurve? = nil
  ) {
    (self.sound, self.clock) = (sound, clock)
    (self.start, self.interval) = (start, interval)
    (self.rate, self.gain) = (rate, gain)
  }
}

extension VoiceSource {
  /// Returns the part of the voice in the given interval, on a timeline that begins with the
  /// interval; `nil` if the voice is not heard there.
  func part(from start: MediaTime, to end: MediaTime) -> VoiceSource? {
    let first = max(interval.start, start)
    let last = min(interval.end, end)
    guard first < last else { return nil }
    var part = self
    part.start = self.start - start
    part.interval = TimeRange(start: first - start, end: last - start)
    return part
  }

  /// The number of samples of the track, at ``Soundtrack/sampleRate``.
  package var sampleCount: Double { sound.length(before: sound.track.packets.count) }

  /// Returns the timeline position of the sample that has `count` samples of the track before it,
  /// counted at ``Soundtrack/sampleRate``.
  package func time(after count: Double) -> MediaTime {
    let next = clock.runs.partitioningIndex { sound.length(before: $0.firstBlock) > count }
    let run = clock.runs[max(0, next - 1)]
    let position = run.position(after: count - sound.length(before: run.firstBlock)) * rate.value
    return start
      + MediaTime(sample: Int64(saturating: position.rounded()), rate: Soundtrack.sampleRate)
  }
}
