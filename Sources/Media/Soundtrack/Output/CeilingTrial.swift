import Glibc
import TesseraCodecs

/// Encodes and decodes sound on its way and lowers what comes out too loud.
final class CeilingTrial {
  private var encoder: AudioEncoder
  private let decoder: EncodedSoundDecoder
  /// Samples that have not gone on yet, interleaved, and the frame of the first one.
  private var held: [Float] = []
  private var heldStart: Int64 = 0
  /// The decoded sound from ``TruePeak/tapCount`` frames before the next one that is judged on.
  private var decoded = [Float](repeating: 0, count: 2 * TruePeak.tapCount)
  private var judged: Int64 = 0
  private var gains: CeilingGains

  /// Frames that no encoder and its decoder together are late by.
  private static let latest = 7 * 1024
  /// Frames by which sound is held back: by what encoding takes, and the reach of a lowered
  /// stretch.
  private let delay: Int
  /// Frames that the encoder got before the first one of the trial.
  private let pastFrames: Int64

  /// The trial after `number` others, of what follows the interleaved samples in `past`: whole
  /// packets that the encoder has to have seen to do as one that began before them.
  init(
    _ settings: SoundEncoderSettings, number: Int, after past: [Float] = []
  ) throws(FFmpegError) {
    let encoder = try AudioEncoder.open(settings)
    decoder = try EncodedSoundDecoder.open(for: encoder)
    self.encoder = encoder
    gains = CeilingGains(trial: number)
    delay = Self.latest + Int(gains.reachedFrames)
    pastFrames = Int64(past.count / 2)
    judged = -pastFrames
    for packet in try self.encoder.encode(past.span) { try judge(packet) }
  }

  /// How many cells were lowered, and by how many decibels at most.
  var lowered: (count: Int, decibels: Float) { gains.lowered }

  /// Takes the next interleaved samples and returns those whose fate is known, whole packets of
  /// them: who begins to encode there makes the same packets.
  func pass(_ samples: [Float]) throws(FFmpegError) -> [Float] {
    held += samples
    for packet in try encoder.encode(samples.span) { try judge(packet) }
    let count = max(0, held.count / 2 - delay)
    return take(count - count % encoder.packetLength)
  }

  /// The rest.
  func finish() throws(FFmpegError) -> [Float] {
    for packet in try encoder.finish() { try judge(packet) }
    try judge(nil)
    return take(held.count / 2)
  }

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
    if loudest * TruePeak.largestGain > CeilingGains.ceiling {
      for newest in TruePeak.tapCount..<frames {
        let peak = TruePeak.level(decoded.span, newest: newest)
        let frame = judged + Int64(newest - TruePeak.tapCount - TruePeak.lookahead)
        if peak > CeilingGains.ceiling, frame >= 0 || pastFrames == 0 {
          gains.note(peak, at: frame)
        }
      }
    }
    judged += Int64(frames - TruePeak.tapCount)
    decoded.removeFirst(2 * (frames - TruePeak.tapCount))
  }

  private func take(_ count: Int) -> [Float] {
    guard count > 0 else { return [] }
    var taken = Array(held[..<(2 * count)])
    held.removeFirst(2 * count)
    gains.apply(to: &taken, at: heldStart)
    heldStart += Int64(count)
    return taken
  }
}

/// Where sound has to be lowered, in cells of 64 frames.
struct CeilingGains {
  /// The ceiling as a factor.
  static let ceiling: Float = pow(10, Ceiling.decibels / 20)

  /// How many cells were lowered, and by how many decibels at most.
  private(set) var lowered: (count: Int, decibels: Float) = (0, 0)
  /// The factors of cells that have to be lowered, by their numbers.
  private var needed: [Int64: Float] = [:]

  private static let cell: Int64 = 64
  /// Cells over which the factor falls and rises.
  private static let ramp: Int64 = 16
  /// Cells around one that is too loud that are lowered with it, for what it is made of is spread
  /// over a packet: 21 ms, and in later trials up to 0.7 s, as other places were too loud then.
  private let reach: Int64
  /// What is lowered is lowered a little more than it was too loud, for an encoder makes something
  /// else of it: 0.2 dB, and with each trial, as that was not enough, as much more.
  private let margin: Float

  /// The gains of the trial after `trial` others.
  init(trial: Int) {
    margin = pow(10, -0.2 * Float(trial + 1) / 20)
    reach = 16 << Int64(min(trial, 5))
  }

  /// How far from one that is too loud frames are lowered.
  var reachedFrames: Int64 { (reach + Self.ramp) * Self.cell }

  /// Takes down that the true peak at `frame` is `peak`, which is above the ceiling.
  mutating func note(_ peak: Float, at frame: Int64) {
    let cell = frame >= 0 ? frame / Self.cell : 0
    let factor = Self.ceiling / peak * margin
    if needed[cell] == nil { lowered.count += 1 }
    needed[cell] = min(needed[cell] ?? 1, factor)
    lowered.decibels = max(lowered.decibels, -20 * log10(factor))
  }

  /// Lowers interleaved samples, the first at `frame`, and forgets what lies far before them.
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

  /// The factor at the beginning of a cell.
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
