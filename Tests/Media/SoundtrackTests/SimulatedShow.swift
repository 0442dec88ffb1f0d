import Foundation
import TestSupport

/// People in one room, each with a clean microphone and a camera that picks up the room: mono at 8
/// kHz.
struct SimulatedShow {
  /// The microphones of all people, then their cameras.
  private(set) var files: [[Float]] = []
  /// The owner of each file.
  private(set) var owners: [Int] = []
  /// The start of each file in seconds. ``rates`` has the rates of the clocks.
  private(set) var starts: [Double] = []
  private(set) var rates: [Double] = []
  /// The times in each file at which ``dropped`` seconds are missing.
  private(set) var drops: [[Double]] = []

  struct Settings: CustomStringConvertible {
    var people = 2
    var seconds = 80.0
    /// The factor by which other people's voices are in a microphone.
    var bleed: Float = 0
    var hasReverb = false
    /// The numbers of the files that lack 20 ms about every 12 s.
    var dropping: Set<Int> = []
    var partsPerMillion = 0.0

    var description: String {
      "bleed \(bleed), reverb \(hasReverb), drops \(dropping.sorted()), \(partsPerMillion) ppm"
    }
  }

  static let dropped = 0.02
  private static let rate = 8000.0

  init(_ settings: Settings, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let total = Int((settings.seconds + 10) * Self.rate)
    let voices = Self.voices(settings.people, total, &random)
    for number in 0..<2 * settings.people {
      let (own, isCamera) = (number % settings.people, number >= settings.people)
      var heard = isCamera ? [Float](repeating: 0, count: total) : voices[own]
      for person in voices.indices where isCamera || person != own {
        let gain = isCamera ? (person == own ? 0.5 : 0.3) : settings.bleed
        guard gain > 0 else { continue }
        let distance = isCamera && person == own ? 3...10 : 8...24
        Self.add(
          voices[person], to: &heard, gain, Int.random(in: distance, using: &random),
          hasReverb: settings.hasReverb, &random)
      }
      let drift = [0, 1, -1, 0.5, 0][number % 5] * settings.partsPerMillion
      starts.append(isCamera ? 2 + [1.5, 0.4, 2.2][own % 3] : 2)
      rates.append(1 + drift / 1e6)
      owners.append(own)
      var samples = (0..<Int(settings.seconds * Self.rate)).map { index -> Float in
        let place = starts[number] * Self.rate + Double(index) * rates[number]
        let (whole, part) = (Int(place), Float(place - place.rounded(.down)))
        return heard[whole] * (1 - part) + heard[whole + 1] * part
          + .random(in: -5e-4...5e-4, using: &random)
      }
      drops.append([])
      if settings.dropping.contains(number) { drop(from: &samples, &random) }
      files.append(samples)
    }
  }

  private mutating func drop(from samples: inout [Float], _ random: inout SplitMix64) {
    var (kept, last, time) = ([Float](), 0, Double.random(in: 4...11, using: &random))
    while Int((time + 5) * Self.rate) < samples.count {
      kept += samples[last..<Int(time * Self.rate)]
      drops[drops.count - 1].append(Double(kept.count) / Self.rate)
      last = Int((time + Self.dropped) * Self.rate)
      time += .random(in: 8...16, using: &random)
    }
    samples = kept + samples[last...]
  }

  private static func add(
    _ voice: [Float], to heard: inout [Float], _ gain: Float, _ delay: Int, hasReverb: Bool,
    _ random: inout SplitMix64
  ) {
    var taps = [(delay, gain)]
    for _ in 0..<(hasReverb ? 60 : 0) {
      let late = Int.random(in: 40...2800, using: &random)
      let sign: Float = Bool.random(using: &random) ? 1 : -1
      taps.append((delay + late, sign * 0.5 * gain * exp(-Float(late) / 900)))
    }
    for (delay, gain) in taps {
      for index in delay..<heard.count { heard[index] += gain * voice[index - delay] }
    }
  }

  /// Returns syllables of noise, in turns.
  private static func voices(
    _ count: Int, _ total: Int, _ random: inout SplitMix64
  ) -> [[Float]] {
    var voices = [[Float]](repeating: [Float](repeating: 0, count: total), count: count)
    for person in voices.indices {
      var (place, last) = (0, Float(0))
      while place < total {
        let length = Int.random(in: 600...2400, using: &random)
        let level = Bool.random(using: &random) ? Float.random(in: 0.05...0.4, using: &random) : 0
        for index in place..<min(total, place + length) {
          last = 0.7 * last + .random(in: -1...1, using: &random)
          voices[person][index] =
            0.6 * level * sin(.pi * Float(index - place) / Float(length)) * last
        }
        place += length
      }
    }
    var place = 0
    while place < total {
      let end = min(total, place + Int.random(in: 12_000...64_000, using: &random))
      let speaker = Int.random(in: 0..<count, using: &random)
      for person in voices.indices where person != speaker {
        for index in place..<end { voices[person][index] = 0 }
      }
      place = end
    }
    return voices
  }

  /// Returns the errors in seconds of a file's times by `place` (its position with all `gaps`
  /// filled) while the file contains a voice, relative to the first file at `base`.
  func errors(
    of number: Int, _ place: (Double) -> Double, gaps: [(time: Double, seconds: Double)],
    base: (offset: Double, rate: Double)
  ) -> [Double] {
    stride(from: 0.5, to: Double(files[number].count) / Self.rate - 1, by: 0.25).compactMap {
      time in
      let near = files[number][Int((time - 0.1) * Self.rate)..<Int((time + 0.1) * Self.rate)]
      guard near.reduce(0, { $0 + $1 * $1 }) > 0.016 else { return nil }
      let filled = gaps.reduce(time) { $1.time <= time ? $0 + $1.seconds : $0 }
      let whole = drops[number].reduce(time) { $1 <= time ? $0 + Self.dropped : $0 }
      let found = (place(filled) - base.offset) / base.rate
      return abs(found - (starts[number] + whole * rates[number] - starts[0]) / rates[0])
    }
  }
}
