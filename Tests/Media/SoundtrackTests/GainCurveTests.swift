import Foundation
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct GainCurveTests {
  @Test func curvesAddUpAndCountFromTheirOrigin() {
    let first = GainCurve([.init(position: 0, decibels: 0), .init(position: 100, decibels: 10)])
    let second = GainCurve([.init(position: 50, decibels: -3), .init(position: 60, decibels: -96)])
    let sum = first + second
    #expect(sum.decibels(at: 0) == -3)
    #expect(sum.decibels(at: 50) == 2)
    #expect(sum.decibels(at: 100) == GainCurve.silence)
    #expect(GainCurve().decibels(at: 5) == 0)
  }

  @Test func soundAtZeroDecibelsIsUnchanged() {
    var random = SplitMix64(seed: 207)
    let block = (0..<4096).map { _ in Float.random(in: -1...1, using: &random) }
    var mix = [Float](repeating: 0, count: 4096)
    var follower = GainCurve.Applier(GainCurve(constant: 0), origin: 7)
    follower.add(block, to: &mix, from: 0, at: 0)
    #expect(mix == block)
  }

  @Test func duckingIsActiveWhilePeopleSpeak() {
    let speaking = [
      TimeRange(start: MediaTime(seconds: 10), end: MediaTime(seconds: 12)),
      TimeRange(start: MediaTime(seconds: 13), end: MediaTime(seconds: 14)),
    ]
    let curve = Ducking.curve(under: speaking, decibels: -12, start: MediaTime(seconds: 2))
    let gain = { (second: Double) in curve.decibels(at: Int64(second * 48_000)) }
    #expect(gain(7) == 0 && gain(8) == -12 && gain(10.5) == -12 && gain(12) == -12 && gain(14) == 0)
  }
}
