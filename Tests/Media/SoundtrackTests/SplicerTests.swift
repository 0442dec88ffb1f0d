import Foundation
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraSoundtrack

@Suite(.timed) struct SplicerTests {
  private static let ntsc = FrameRate("30000/1001") ?? .thirty

  /// Returns `mix`, mono, after `cut`, read `length` samples at a time.
  private func spliced(
    _ mix: (Int64) -> Float, _ cut: SampleSelection, reading length: Int = 1024, block: Int = 1024
  ) -> [Float] {
    var (splicer, position) = (Splicer(cut), Int64(0))
    var out: [Float] = []
    while out.count < Int(cut.sampleCount) {
      var samples = [Float](repeating: .nan, count: 2 * block)
      splicer.next(into: &samples) { mixed in
        for _ in 0..<length {
          mixed += [mix(position), mix(position)]
          position += 1
        }
      }
      out += stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }
    return Array(out.prefix(Int(cut.sampleCount)))
  }

  @Test("Sound is as long as the pictures after any number of cuts")
  func length() {
    var random = SplitMix64(seed: 300)
    var (ranges, frame) = ([Range<Int>](), 0)
    for _ in 0..<300 {
      let start = frame + Int.random(in: 1...40, using: &random)
      frame = start + Int.random(in: 1...60, using: &random)
      ranges.append(start..<frame)
    }
    let frames = FrameSelection(ranges)
    let cut = SampleSelection(frames, at: Self.ntsc)
    #expect(cut.sampleCount == Self.ntsc.sample(ofFrame: frames.count, sampleRate: 48_000))
    for (part, range) in zip(cut.parts, frames.ranges) {
      let place = Self.ntsc.sample(
        ofFrame: frames.output(from: range.lowerBound), sampleRate: 48_000)
      #expect(part.first == place)
    }
  }

  @Test("A click is within a sample of its time", arguments: ["25", "30000/1001", "60"])
  func clicks(rate: String) throws {
    let rate = try #require(FrameRate(rate))
    var (ranges, random) = ([Range<Int>](), SplitMix64(seed: 7))
    let second = rate.firstFrame(showing: MediaTime(seconds: 1))
    for number in stride(from: 0, to: 20, by: 2) {
      // Clicks are at whole seconds, and cuts a third of a second away.
      let start = number * second + second / 3 + Int.random(in: 0..<second / 4, using: &random)
      ranges.append(start..<start + second)
    }
    let frames = FrameSelection(ranges)
    let cut = SampleSelection(frames, at: rate)
    let out = spliced({ $0 % 48_000 == 0 ? 1 : 0 }, SampleSelection(frames, at: rate))
    let origin = rate.sample(ofFrame: frames.lowerBound, sampleRate: 48_000)
    _ = cut
    let found = out.indices.filter { out[$0] > 0.9 }
    let times = CutTimeMapping(frames, at: rate)
    // The mix begins with the first frame; clicks are at the whole seconds after it.
    let expected = (0..<40).compactMap { number -> Int? in
      let time = MediaTime(sample: origin + Int64(number) * 48_000, rate: 48_000)
      guard frames.output(of: rate.firstFrame(showing: time)) != nil else { return nil }
      return Int(times.output(time).sample(atRate: 48_000))
    }
    let inside = found.filter { place in
      !cut.parts.dropFirst().contains { abs(Int($0.first) - place) <= Int(cut.reach) + 720 }
    }
    #expect(!inside.isEmpty)
    #expect(inside.allSatisfy { place in expected.contains { abs($0 - place) <= 1 } })
  }

  @Test("A cut tone has no step", arguments: [110.0, 440, 2000])
  func tones(frequency: Double) {
    let frames = FrameSelection([0..<31, 47..<60, 61..<90, 200..<230])
    let cut = SampleSelection(frames, at: .thirty)
    let out = spliced(
      { Float(0.5 * sin(2 * .pi * frequency * Double($0) / 48_000)) }, cut)
    let slope = Float(0.5 * 2 * .pi * frequency / 48_000)
    let steps = zip(out, out.dropFirst()).map { abs($1 - $0) }
    // Two signals of equal power are 3 dB louder at most, and the fade's own slope is small.
    #expect(steps.max() ?? 1 <= 1.42 * slope + 2.0 / 720)
    #expect(out.allSatisfy { abs($0) <= 0.71 })
  }

  @Test("Splices move to quiet moments, and similar sound keeps its level")
  func places() {
    let frames = FrameSelection([0..<30, 60..<90])
    let cut = SampleSelection(frames, at: .thirty)
    // Noise, except for a pause that begins 20 ms before the edge.
    let isQuiet = { (sample: Int64) in
      (47_040..<48_000).contains(sample) || (95_040..<96_000).contains(sample)
    }
    var random = SplitMix64(seed: 5)
    let noise = (0..<200_000).map { _ in Float.random(in: -0.5...0.5, using: &random) }
    let out = spliced({ isQuiet($0) ? 0 : noise[Int($0)] }, cut)
    #expect(out[47_040..<48_000].allSatisfy { $0 == 0 })
    #expect(out[46_000] == noise[46_000] && out[50_000] == noise[98_000])
    // Equal sound on both sides keeps its level.
    let alike = spliced({ Float(sin(2 * .pi * 480 * Double($0) / 48_000)) * 0.5 }, cut)
    #expect(alike.allSatisfy { abs($0) <= 0.501 })
  }

  @Test("The output does not depend on the block size")
  func blocks() {
    var random = SplitMix64(seed: 9)
    let noise = (0..<300_000).map { _ in Float.random(in: -0.5...0.5, using: &random) }
    let cut = SampleSelection(
      FrameSelection([3..<30, 31..<33, 34..<35, 60..<90, 100..<170]), at: Self.ntsc)
    let usual = spliced({ noise[Int($0)] }, cut)
    #expect(spliced({ noise[Int($0)] }, cut, reading: 480) == usual)
    #expect(spliced({ noise[Int($0)] }, cut, reading: 4096, block: 333) == usual)
    let whole = SampleSelection(FrameSelection(10..<70), at: Self.ntsc)
    let out = spliced({ noise[Int($0)] }, whole)
    #expect(out == Array(noise.prefix(out.count)))
  }
}
