import Foundation

/// The facts about one voice that leveling and speaker detection need, from one pass over its file.
///
/// The analysis is the same for every plan that uses the file and takes about 100 bytes a second.
/// Times count from the file's beginning in steps of ``hop`` samples (20 ms).
package struct VoiceAnalysis: Hashable, Sendable {
  /// The number of samples in a step, at ``Soundtrack/sampleRate``.
  package static let hop = 960
  /// The number of steps per second.
  package static let hopsPerSecond = 50

  /// The K-weighted level of each step as in ``LevelByteCoding``: half LUFS from -120 (0) up.
  ///
  /// The weighting of BS.1770 attenuates rumble below the voice.
  package var levels: [UInt8] = []
  /// The peak of each step as in ``LevelByteCoding``: half dBFS from -120 (0) up.
  package var peaks: [UInt8] = []
  /// The noise floor around each second, in the coding of ``levels``.
  package var noiseFloors: [UInt8] = []
  /// The gated loudness of all sound in LUFS; `nil` if nothing is louder than -70 LUFS.
  package var loudness: Double?
  /// The channel that carries all sound; `nil` if both do. All other values describe the voice
  /// panned to the center.
  package var side: StereoChannel?
  /// The number of clipped samples, counted in each channel: those in rows of at least three at
  /// full scale.
  package var clippedSamples = 0

  package init() {}

  /// The largest peak in dBFS; `nil` for silence.
  package var peakDecibels: Double? {
    guard let peak = peaks.max(), peak > 0 else { return nil }
    return LevelByteCoding.decibels(peak)
  }

  /// The median noise floor in LUFS; `nil` for silence.
  package var noiseFloorDecibels: Double? {
    let floors = noiseFloors.filter { $0 > 0 }.sorted()
    return floors.isEmpty ? nil : LevelByteCoding.decibels(floors[floors.count / 2])
  }

  /// Returns the peaks of `count` equal parts as amplitudes from 0 to 1, to draw a waveform; empty
  /// without sound.
  package func waveform(count: Int) -> [Float] {
    guard count > 0, !peaks.isEmpty else { return [] }
    return (0..<count).map { part in
      let first = part * peaks.count / count
      let last = max(first + 1, (part + 1) * peaks.count / count)
      let peak = peaks[first..<min(last, peaks.count)].max() ?? 0
      return peak == 0 ? 0 : min(1, Float(pow(10, LevelByteCoding.decibels(peak) / 20)))
    }
  }
}

extension VoiceAnalysis: Codable {
  private enum CodingKeys: String, CodingKey {
    case levels
    case peaks
    case noiseFloors
    case loudness
    case side
    case clippedSamples
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    levels = Array(try container.decode(Data.self, forKey: .levels))
    peaks = Array(try container.decode(Data.self, forKey: .peaks))
    noiseFloors = Array(try container.decode(Data.self, forKey: .noiseFloors))
    loudness = try container.decodeIfPresent(Double.self, forKey: .loudness)
    side = try container.decodeIfPresent(StereoChannel.self, forKey: .side)
    clippedSamples = try container.decode(Int.self, forKey: .clippedSamples)
    guard levels.count == peaks.count,
      noiseFloors.count == (levels.count + Self.hopsPerSecond - 1) / Self.hopsPerSecond
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .peaks, in: container, debugDescription: "the columns differ in length")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Data(levels), forKey: .levels)
    try container.encode(Data(peaks), forKey: .peaks)
    try container.encode(Data(noiseFloors), forKey: .noiseFloors)
    try container.encodeIfPresent(loudness, forKey: .loudness)
    try container.encodeIfPresent(side, forKey: .side)
    try container.encode(clippedSamples, forKey: .clippedSamples)
  }
}
