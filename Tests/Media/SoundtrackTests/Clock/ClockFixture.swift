import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraTimeline
import TestSupport

/// The packets of a simulated voice, and their true times.
struct ClockFixture {
  /// The blocks with the file's times.
  var blocks: [SoundBlockInfo] = []
  /// The true time of each packet in milliseconds.
  var truth: [Double] = []
  /// The total length of all true gaps in milliseconds.
  var gaps = 0.0

  /// The notation of packet times.
  enum Stamp {
    /// In nanoseconds.
    case exact
    /// In whole milliseconds.
    case milliseconds
    /// The arrival time: with normal noise of this standard deviation, in whole milliseconds.
    case arrival(Double)
  }

  /// Returns `seconds` of packets of `length` milliseconds. `gap` returns the missing milliseconds
  /// before packet n; `late` returns the delay of packet n in milliseconds.
  static func voice(
    seconds: Double, length: Double = 20, start: Double = 137, partsPerMillion: Double = 0,
    stamp: Stamp = .milliseconds, rate: Int = 48_000, using random: inout SplitMix64,
    gap: (Int, inout SplitMix64) -> Double = { _, _ in 0 },
    late: (Int, inout SplitMix64) -> Double = { _, _ in 0 }
  ) -> ClockFixture {
    var fixture = ClockFixture()
    let samples = Int((length * Double(rate) / 1000).rounded())
    let clock = 1 + partsPerMillion / 1e6
    var (time, number) = (start, 0)
    while time < start + 1000 * seconds {
      let missing = gap(number, &random)
      fixture.gaps += number > 0 ? missing : 0
      time += missing
      fixture.truth.append(time)
      fixture.append(time + late(number, &random), stamp, samples, rate, &random)
      time += 1000 * Double(samples) / Double(rate) * clock
      number += 1
    }
    return fixture
  }

  private mutating func append(
    _ time: Double, _ stamp: Stamp, _ samples: Int, _ rate: Int, _ random: inout SplitMix64
  ) {
    let nanoseconds: Int64 =
      switch stamp {
      case .exact: Int64((time * 1e6).rounded())
      case .milliseconds: Int64(time.rounded()) * 1_000_000
      case .arrival(let deviation):
        Int64((time + deviation * Self.normal(&random)).rounded()) * 1_000_000
      }
    blocks.append(
      SoundBlockInfo(
        time: MediaTime(nanoseconds: nanoseconds), sampleCount: samples, sampleRate: rate))
  }

  /// Returns a normally distributed number (Box and Muller).
  static func normal(_ random: inout SplitMix64) -> Double {
    let radius = sqrt(-2 * log(Double.random(in: 1e-12...1, using: &random)))
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
  }

  /// Returns packet delays with bursts: sometimes nothing arrives for a while, and then everything
  /// at once.
  static func bursts(
    every packets: Int, upTo longest: Double, length: Double = 20
  ) -> (Int, inout SplitMix64) -> Double {
    var delay = 0.0
    return { _, random in
      delay = max(0, delay - length)
      if Int.random(in: 0..<packets, using: &random) == 0 {
        delay = max(delay, .random(in: 40...longest, using: &random))
      }
      return delay
    }
  }

  /// Returns packet delays of a network that fills and empties: up to ±`most` milliseconds,
  /// correlated over 0.4 s.
  static func swell(_ most: Double, length: Double = 20) -> (Int, inout SplitMix64) -> Double {
    var level = 0.0
    let kept = exp(-length / 400)
    return { _, random in
      level = kept * level + (1 - kept * kept).squareRoot() * normal(&random)
      return max(-most, min(most, level * most / 2))
    }
  }

  /// Returns uncorrelated packet delays of up to ±`most` milliseconds.
  static func even(_ most: Double) -> (Int, inout SplitMix64) -> Double {
    { _, random in Double.random(in: -most...most, using: &random) }
  }

  /// Returns the missing milliseconds if one of `packets` is lost.
  static func lost(oneIn packets: Int, length: Double = 20) -> (Int, inout SplitMix64) -> Double {
    { number, random in
      var missing = 0.0
      while number > 0, Int.random(in: 0..<packets, using: &random) == 0 { missing += length }
      return missing
    }
  }

  /// The result of a fit for the voice.
  struct Result: CustomStringConvertible {
    /// The maximum distance between a packet and its true time, in milliseconds.
    var worst = 0.0
    /// All inserted silence in milliseconds.
    var silence = 0.0
    /// All dropped sound in milliseconds.
    var dropped = 0.0
    var fit: VoiceClockFit
    var description: String {
      String(
        format: "worst %.2f ms, silence %.1f ms, dropped %.1f ms, %d runs, %d paces, %.1f ppm",
        worst, silence, dropped, fit.runs.count, fit.runs.reduce(0) { $0 + $1.paces.count },
        fit.partsPerMillion)
    }
  }

  /// Fits the voice's clock and compares it with the truth.
  func fitted() -> Result {
    let fit = VoiceClockFit(blocks)
    var result = Result(fit: fit)
    var counts: [Double] = []
    var count = 0.0
    for block in blocks {
      counts.append(count)
      count += Double(block.sampleCount) * 48_000 / Double(block.sampleRate)
    }
    for index in blocks.indices {
      let run = fit.runs[fit.run(ofBlock: index)]
      let place = run.position(after: counts[index] - counts[run.firstBlock])
      result.worst = max(result.worst, abs(place / 48 - truth[index]))
    }
    for (run, next) in zip(fit.runs, fit.runs.dropFirst()) {
      let end = run.position(after: counts[next.firstBlock] - counts[run.firstBlock])
      let step = (Double(next.start) - end) / 48
      result.silence += max(0, step)
      result.dropped += max(0, -step)
    }
    return result
  }
}
