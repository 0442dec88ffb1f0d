import Glibc
import TesseraCodecs

/// One trial of a ``PeakCeiling``: encodes and decodes sound, and lowers it where the decoded sound
/// is too loud.
final class PeakCeilingTrial {
  private var encoder: AudioEncoder
  private let decoder: EncodedSoundDecoder
  /// The interleaved samples that are not passed on yet.
  private var held: [Float] = []
  /// The frame of the first sample in `held`.
  private var heldStart: Int64 = 0
  /// The decoded samples that are not judged yet, preceded by ``TruePeak/tapCount`` frames of
  /// context.
  private var decoded = [Float](repeating: 0, count: 2 * TruePeak.tapCount)
  /// The frame of the first decoded sample not judged yet.
  private var judged: Int64 = 0
  private var gains: PeakCeilingGains

  /// The largest delay of any encoder and its decoder together, in frames.
  private static let latest = 7 * 1024
  /// The number of frames held back: the delay of coding and the reach of a lowered stretch.
  private let delay: Int
  /// The number of frames that the encoder got before the trial's first frame.
  private let pastFrames: Int64

  /// Creates the trial that follows `number` others.
  ///
  /// The encoder first gets the interleaved samples of `past`, whole packets, so that its output
  /// equals that of an encoder that started earlier.
  init(
    _ settings: SoundEncoderSettings, number: Int, after past: [Float] = []
  ) throws(FFmpegError) {
    let encoder = try AudioEncoder.open(settings)
    decoder = try EncodedSoundDecoder.open(for: encoder)
    self.encoder = encoder
    gains = PeakCeilingGains(trial: number)
    delay = Self.latest + Int(gains.reachedFrames)
    pastFrames = Int64(past.count / 2)
    judged = -pastFrames
    for packet in try self.encoder.encode(past.span) { try judge(packet) }
  }

  /// The number of cells that were lowered, and the largest reduction in decibels.
  var lowered: (count: Int, decibels: Float) { gains.lowered }

  /// Takes the next interleaved samples and returns those whose gain is final.
  ///
  /// Only whole packets are returned, so that an encoder that starts there produces identical
  /// packets.
  func pass(_ samples: [Float]) throws(FFmpegError) -> [Float] {
    held += samples
    for packet in try encoder.encode(samples.span) { try judge(packet) }
    let count = max(0, held.count / 2 - delay)
    return take(count - count % encoder.packetLength)
  }

  /// Ends the trial and returns the remaining samples.
  func finish() throws(FFmpegError) -> [Float] {
    for packet in try encoder.finish() { try judge(packet) }
    try judge(nil)
    return take(held.count / 2)
  }

  /// Decodes a packet, or the rest if `nil`, and notes each true peak above the ceiling.
  private func judge(_ packet: EncodedPacket?) throws(FFmpegError) {
    var blocks: [(Int64, [Float])] = []
    try decoder.decode(packet) { blocks.append(($0, $1)) }
    for (position, samples) in blocks {
      let skipped = Int(max(0, min(-position, Int64(samples.count / 2))))
      decoded += samples[(2 * skipped)...]
    }
    let frames = decoded.count / 2
    guard frames > TruePeak.tapCount else { return }
    var loudest: Float = 0
    for sample in decoded { loudest = max(loudest, abs(sample)) }
    if loudest * TruePeak.largestGain > PeakCeilingGains.ceiling {
      for newest in TruePeak.tapCount..<frames {
        let peak = TruePeak.level(decoded.span, newest: newest)
        let frame = judged + Int64(newest - TruePeak.tapCount - TruePeak.lookahead)
        if peak > PeakCeilingGains.ceiling, frame >= 0 || pastFrames == 0 {
          gains.note(peak, at: frame)
        }
      }
    }
    judged += Int64(frames - TruePeak.tapCount)
    decoded.removeFirst(2 * (frames - TruePeak.tapCount))
  }

  /// Removes `count` frames from `held` and applies their gains.
  private func take(_ count: Int) -> [Float] {
    guard count > 0 else { return [] }
    var taken = Array(held[..<(2 * count)])
    held.removeFirst(2 * count)
    gains.apply(to: &taken, at: heldStart)
    heldStart += Int64(count)
    return taken
  }
}

/// The gains of stretches that have to be lowered, in cells of 64 frames.
struct PeakCeilingGains {
  /// The ceiling as a linear factor.
  static let ceiling: Float = pow(10, PeakCeiling.decibels / 20)

  /// The number of cells that were lowered, and the largest reduction in decibels.
  private(set) var lowered: (count: Int, decibels: Float) = (0, 0)
  /// The factors of cells that have to be lowered, by cell number.
  private var needed: [Int64: Float] = [:]

  /// The length of a cell in frames.
  private static let cell: Int64 = 64
  /// The number of cells over which the factor falls and rises.
  private static let ramp: Int64 = 16
  /// The number of cells lowered on either side of a cell that is too loud, because the cell's
  /// sound is spread over a packet: 21 ms. Later trials lower up to 0.7 s, because other places
  /// were too loud then.
  private let reach: Int64
  /// The factor by which sound is lowered below the ceiling, because the encoder's error changes
  /// with its input: 0.2 dB, and as much more with each further trial.
  private let margin: Float

  /// Creates the gains of the trial that follows `trial` others.
  init(trial: Int) {
    margin = pow(10, -0.2 * Float(trial + 1) / 20)
    reach = 16 << Int64(min(trial, 5))
  }

  /// The distance from a loud frame up to which frames are lowered, in frames.
  var reachedFrames: Int64 { (reach + Self.ramp) * Self.cell }

  /// Records a true peak of `peak`, which exceeds the ceiling, at `frame`.
  mutating func note(_ peak: Float, at frame: Int64) {
    let cell = frame >= 0 ? frame / Self.cell : 0
    let factor = Self.ceiling / peak * margin
    if needed[cell] == nil { lowered.count += 1 }
    needed[cell] = min(needed[cell] ?? 1, factor)
    lowered.decibels = max(lowered.decibels, -20 * log10(factor))
  }

  /// Applies the gains to interleaved samples, the first of which is at `frame`, and drops records
  /// that are far before them.
  mutating func apply(to samples: inout [Float], at frame: Int64) {
    guard !needed.isEmpty else { return }
    let end = frame + Int64(samples.count / 2)
    for cell in frame / Self.cell...end / Self.cell {
      let (left, right) = (factor(cell), factor(cell + 1))
      guard left < 1 || right < 1 else { continue }
      for offset in 0..<Self.cell {
        let index = 2 * Int(cell * Self.cell + offset - frame)
        guard index >= 0, index < samples.count else { continue }
        let factor = left + (right - left) * Float(offset) / Float(Self.cell)
        samples[index] *= factor
        samples[index + 1] *= factor
      }
    }
    let past = end / Self.cell - 2 * (reach + Self.ramp)
    needed = needed.filter { $0.key > past }
  }

  /// Returns the factor at the beginning of cell `cell`.
  private func factor(_ cell: Int64) -> Float {
    var factor: Float = 1
    for (place, value) in needed {
      let distance = max(0, abs(place - cell) - reach)
      guard distance < Self.ramp else { continue }
      let part = Float(distance) / Float(Self.ramp)
      factor = min(factor, value + (1 - value) * part)
    }
    return factor
  }
}
