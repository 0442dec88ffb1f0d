import Foundation
import TesseraSoundtrack
import TestSupport

/// A call in which all people hear each other late and faint, each with their own clock.
struct SimulatedCall {
  /// The recording of each person: mono at 8 kHz.
  private(set) var recordings: [[Float]] = []
  /// The start of each recording in seconds.
  private(set) var starts: [Double] = []
  /// The slowness of each recorder's clock in parts per million.
  private(set) var partsPerMillion: [Double] = []

  struct Settings {
    var people = 2
    var seconds = 180.0
    var delays = 0.0...1.5
    var bleed = -40.0 ... -15.0
    var drift = -100.0...100.0
    var noise: Float = 5e-4
    /// The share of time with two simultaneous speakers.
    var crosstalk = 0.15
    /// The range of the microphones' gains in decibels.
    var gains = -6.0...6.0
    /// The number of people without recordings.
    var unrecorded = 0
    /// The number of people who hear everything but never speak: the last ones.
    var listeners = 0
  }

  private static let rate = 8000.0

  init(_ settings: Settings, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = settings.people + settings.unrecorded
    let total = Int((settings.seconds + 40) * Self.rate)
    var said = Self.said(
      count, total, silent: settings.people - settings.listeners..<settings.people,
      settings.crosstalk, &random)
    for person in said.indices {
      let gain = Float(pow(10, Double.random(in: settings.gains, using: &random) / 20))
      for index in said[person].indices { said[person][index] *= gain }
    }
    var delays = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for one in 0..<count {
      for other in one + 1..<max(one + 1, count) {
        delays[one][other] = .random(in: settings.delays, using: &random)
        delays[other][one] = delays[one][other]
      }
    }
    for own in 0..<settings.people {
      starts.append(2 + .random(in: 0...30, using: &random))
      partsPerMillion.append(.random(in: settings.drift, using: &random))
      var heard = said[own]
      for other in 0..<count where other != own {
        let gain = Float(pow(10, Double.random(in: settings.bleed, using: &random) / 20))
        let late = Int(delays[other][own] * Self.rate)
        for index in late..<total { heard[index] += gain * said[other][index - late] }
      }
      let step = 1 + partsPerMillion[own] / 1e6
      recordings.append(
        (0..<Int(settings.seconds * Self.rate)).map { index in
          let place = starts[own] * Self.rate + Double(index) * step
          let whole = Int(place)
          let part = Float(place - Double(whole))
          guard whole + 1 < total else { return 0 }
          return heard[whole] * (1 - part) + heard[whole + 1] * part
            + .random(in: -settings.noise...settings.noise, using: &random)
        })
    }
  }

  /// Returns the speech of each person: syllables of noise, in turns.
  private static func said(
    _ count: Int, _ total: Int, silent: Range<Int>, _ crosstalk: Double,
    _ random: inout SplitMix64
  ) -> [[Float]] {
    var said = [[Float]](repeating: [Float](repeating: 0, count: total), count: count)
    for person in said.indices {
      var (place, last) = (0, Float(0))
      while place < total {
        let length = Int.random(in: 600...2400, using: &random)
        let level = Bool.random(using: &random) ? Float.random(in: 0.05...0.4, using: &random) : 0
        let color = Float.random(in: 0.5...0.9, using: &random)
        for index in place..<min(total, place + length) {
          let envelope = sin(.pi * Float(index - place) / Float(length))
          last = color * last + .random(in: -1...1, using: &random)
          said[person][index] = level * envelope * last * (1 - color)
        }
        place += length
      }
    }
    var place = 0
    while place < total {
      let length = Int.random(in: 12_000...64_000, using: &random)
      var speaking: Set<Int> = [.random(in: 0..<count, using: &random)]
      if Double.random(in: 0..<1, using: &random) < crosstalk {
        speaking.insert(.random(in: 0..<count, using: &random))
      }
      for person in said.indices where !speaking.contains(person) || silent.contains(person) {
        for index in place..<min(total, place + length) { said[person][index] = 0 }
      }
      place += length
    }
    return said
  }

  /// Returns the maximum error in seconds of a computed position of recording `number` in recording
  /// `other`.
  func error(of number: Int, in other: Int, at offset: Double, _ rate: Double) -> Double {
    [0, 1].map { part in
      let time = part * Double(recordings[number].count) / Self.rate
      let true_ =
        (starts[number] + time * (1 + partsPerMillion[number] / 1e6) - starts[other])
        / (1 + partsPerMillion[other] / 1e6)
      return abs(offset + rate * time - true_)
    }.max() ?? 0
  }
}
