import Glibc
import TesseraCodecs
import TesseraSystem
import TesseraTimeline

/// A place in the middle of a track at which a voice goes on so that its samples lie where they would if it had been decoded from
/// its beginning.
///
/// A resampler begins on a whole sample of the timeline and keeps that phase, so one that is opened later has to begin
/// with a sample of the track that is due on a whole sample, too.
struct VoiceRestart {
  /// The packet that decoding begins with.
  let packet: Int
  /// Samples of the track, counted at ``Soundtrack/sampleRate``, before the first one that is taken.
  let place: Double
  /// By how much later than by the clock the voice is heard, as it began on a whole sample.
  let offset: Double

  /// The seconds that such a sample is searched for backwards; in a run of several paces it comes by sooner.
  fileprivate static let (reach, shortReach) = (21.0, 1.0)
  /// A sample is due on a whole sample where the difference is no more than that.
  private static let tolerance = 0.001

  /// The restart of `source` for sample `first` of the timeline; nil if it has not begun before, or its samples are
  /// played as they are, so that any place will do.
  static func find(
    _ source: VoiceSource, _ first: Int64, _ cancellation: Cancellation
  ) throws(MediaError) -> VoiceRestart? {
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
      // Of the first packet, or several, nothing may be heard.
      let first = reader.following?.packet.map { $0 - sound.track.packets.lowerBound } ?? opening
      start = sound.length(before: first) + (reader.following?.skippedLength ?? 0)
    }
    let offset = position(start).rounded() - position(start)
    // Counted in samples as they were recorded.
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
    return VoiceRestart(packet: max(packet, opening), place: best.place, offset: offset)
  }
}

extension VoiceSource {
  /// Less of a file than that, in samples, is read through rather than skipped.
  private static let shortestSkip = 240_000.0
  /// Decoding begins that many samples before what is to be heard: Opus needs 80 ms, other codecs a
  /// packet or two, before what they put out is what was recorded.
  static let preroll = 24_000.0

  /// Which sample of the file is heard at sample `sample` of the timeline.
  func position(of sample: Int64) -> Double {
    Double(sample - start.sample(atRate: Soundtrack.sampleRate)) / rate.value
  }

  /// The bytes of its file that are read for those samples of the timeline, as far as that is known before.
  package func bytes(for samples: Range<Int64>) -> [Range<Int>] {
    let heard = Voice.range(of: self, first: samples.lowerBound, sampleCount: samples.upperBound)
    guard !heard.isEmpty else { return [] }
    let margin = VoiceRestart.reach * Double(Soundtrack.sampleRate)
    let first = clock.packet(at: position(of: heard.lowerBound) - margin, in: sound)
    let last = clock.packet(at: position(of: heard.upperBound) + Self.preroll, in: sound)
    let packets = sound.track.packets
    // The first ones say what is cut off at the beginning.
    return [0..<min(4, packets.count), first..<min(last + 2, packets.count)].compactMap { range in
      sound.index.bytes(
        of: range.lowerBound + packets.lowerBound..<range.upperBound + packets.lowerBound)
    }
  }

  /// The packet that decoding begins with where sample `sample` of the timeline is the first that is heard.
  func packet(at sample: Int64) -> Int {
    let position = position(of: sample)
    return position > Self.shortestSkip ? clock.packet(at: position - Self.preroll, in: sound) : 0
  }
}

extension SoundBlock {
  /// The number of samples at ``Soundtrack/sampleRate`` that its decoder cut off before it.
  var skippedLength: Double {
    Double(skipped.numerator) * Double(Soundtrack.sampleRate) / Double(skipped.denominator)
  }
}
