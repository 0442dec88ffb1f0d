import Glibc
import TesseraCodecs
import TesseraSystem
import TesseraTimeline

/// A place in the middle of a track at which decoding can start without changing the result: later
/// samples have the positions that they have if decoded from the track's beginning.
///
/// A resampler starts on a whole sample of the timeline and keeps that phase. So a resampler that
/// starts later has to start with a sample of the track that is due on a whole sample, too.
struct DecodeRestartPoint {
  /// The packet at which decoding starts.
  let packet: Int
  /// The number of the track's samples before the first one that is used, at
  /// ``Soundtrack/sampleRate``.
  let place: Double
  /// The voice's delay relative to its clock, in samples, because its beginning was rounded to a
  /// whole sample.
  let offset: Double

  /// The duration of the backward search for a suitable sample, in seconds. In a run of several
  /// paces, a shorter search suffices.
  fileprivate static let (reach, shortReach) = (21.0, 1.0)
  /// The largest distance from a whole sample that counts as being on it.
  private static let tolerance = 0.001

  /// Finds the restart of `source` for sample `first` of the timeline.
  ///
  /// Returns `nil` if the voice has not begun before, or if its samples are not resampled, so that
  /// any place will do.
  static func find(
    _ source: VoiceSource, _ first: Int64, _ cancellation: Cancellation
  ) throws(MediaError) -> DecodeRestartPoint? {
    let begin = max(0, source.interval.start.sample(atRate: Soundtrack.sampleRate))
    guard first > begin else { return nil }
    let (sound, clock, rate) = (source.sound, source.clock, source.rate.value)
    let opening = source.packet(at: begin)
    let wanted = clock.packet(at: source.position(of: first), in: sound)
    let number = clock.run(ofBlock: wanted)
    let run = clock.runs[number]
    let samples = sound.index.samples[sound.track.packets.lowerBound + wanted]
    guard wanted > opening, samples.samples > 0,
      !(run.isPlain && rate == 1 && samples.rate == Soundtrack.sampleRate)
    else { return nil }
    let before = sound.length(before: run.firstBlock)
    let position = { (place: Double) in run.position(after: place - before) * rate }
    var start = before
    if clock.run(ofBlock: opening) == number {
      let reader = try SoundReader.open(sound, from: opening, cancellation: cancellation)
      // The first packets may be without audible sound.
      let first = reader.following?.packet.map { $0 - sound.track.packets.lowerBound } ?? opening
      start = sound.length(before: first) + (reader.following?.skippedLength ?? 0)
    }
    let offset = position(start).rounded() - position(start)
    // From here on, samples are counted at the recorded rate.
    let step = Double(Soundtrack.sampleRate) / Double(samples.rate)
    let last = (sound.length(before: wanted) / step).rounded(.down)
    let reach = run.paces.count > 1 ? shortReach : reach
    let earliest = max(last - reach * Double(samples.rate), (start / step).rounded(.up))
    guard earliest <= last else { return nil }
    var best = (place: last * step, error: Double.infinity)
    for sample in stride(from: last, through: earliest, by: -1) {
      let due = position(sample * step) + offset
      let error = abs(due - due.rounded())
      if error < best.error { best = (sample * step, error) }
      if error <= tolerance { break }
    }
    let packet = clock.packet(at: position(best.place) / rate - VoiceSource.preroll, in: sound)
    return DecodeRestartPoint(packet: max(packet, opening), place: best.place, offset: offset)
  }
}

extension VoiceSource {
  /// The shortest part of a file that is skipped by seeking, in samples; a shorter part is decoded
  /// and dropped.
  private static let shortestSkip = 240_000.0
  /// The pre-roll in samples: 0.5 s. Opus needs 80 ms, and other codecs a packet or two, until the
  /// decoded sound is correct.
  static let preroll = 24_000.0

  /// Maps sample `sample` of the timeline to a position in the file, in samples.
  func position(of sample: Int64) -> Double {
    Double(sample - start.sample(atRate: Soundtrack.sampleRate)) / rate.value
  }

  /// Returns the byte ranges of the file that are read for `samples` of the timeline, as far as the
  /// index shows.
  package func bytes(for samples: Range<Int64>) -> [Range<Int>] {
    let heard = Voice.range(of: self, first: samples.lowerBound, sampleCount: samples.upperBound)
    guard !heard.isEmpty else { return [] }
    let margin = DecodeRestartPoint.reach * Double(Soundtrack.sampleRate)
    let first = clock.packet(at: position(of: heard.lowerBound) - margin, in: sound)
    let last = clock.packet(at: position(of: heard.upperBound) + Self.preroll, in: sound)
    let packets = sound.track.packets
    // The first packets contain the number of samples to skip at the beginning.
    return [0..<min(4, packets.count), first..<min(last + 2, packets.count)].compactMap { range in
      sound.index.bytes(
        of: range.lowerBound + packets.lowerBound..<range.upperBound + packets.lowerBound)
    }
  }

  /// Returns the packet at which decoding starts if `sample` of the timeline is the first one
  /// heard.
  func packet(at sample: Int64) -> Int {
    let position = position(of: sample)
    return position > Self.shortestSkip ? clock.packet(at: position - Self.preroll, in: sound) : 0
  }
}

extension SoundBlockInfo {
  /// The number of samples at ``Soundtrack/sampleRate`` that the decoder removed before this block.
  var skippedLength: Double {
    Double(skipped.numerator) * Double(Soundtrack.sampleRate) / Double(skipped.denominator)
  }
}
