import Foundation
import TesseraSoundtrack
import TestSupport
import Testing

@Suite(.timed) struct TimelineSampleBufferTests {
  private static let fade = TimelineSampleBuffer.fade

  /// Returns frames whose left sample is the number and whose right sample is its negative.
  private static func frames(_ numbers: Range<Int>) -> [Float] {
    numbers.flatMap { [Float($0), -Float($0)] }
  }

  private static func mix(_ placed: inout TimelineSampleBuffer, _ range: Range<Int64>) -> [Float] {
    var block = [Float](repeating: 0, count: 2 * range.count)
    placed.mix(range, into: &block, origin: range.lowerBound)
    return stride(from: 0, to: block.count, by: 2).map { block[$0] }
  }

  @Test func soundWithoutCutsIsUnchanged() {
    var placed = TimelineSampleBuffer(from: 0)
    placed.move(to: 2)
    placed.append(Self.frames(1..<4))
    placed.append(Self.frames(4..<500))
    placed.move(to: 501)
    placed.append(Self.frames(500..<600))
    let mixed = Self.mix(&placed, 0..<601)
    let isExact = mixed == [0, 0] + (1..<600).map { Float($0) }
    #expect(isExact)
    #expect((placed.silentCount, placed.droppedCount) == (0, 0))
  }

  @Test func gapsAreSilentAndFadeAtBothSides() {
    var placed = TimelineSampleBuffer(from: 0)
    let ones = [Float](repeating: 1, count: 2000)
    placed.move(to: 0)
    placed.append(ones)
    placed.move(to: 5000)
    placed.append(ones)
    let mixed = Self.mix(&placed, 0..<6100)
    #expect(mixed[..<(1000 - Self.fade)].allSatisfy { $0 == 1 })
    #expect(mixed[1000..<5000].allSatisfy { $0 == 0 })
    #expect(mixed[(5000 + Self.fade)..<6000].allSatisfy { $0 == 1 })
    for index in 0..<Self.fade {
      let (falling, rising) = (mixed[1000 - Self.fade + index], mixed[5000 + index])
      // At equal power.
      #expect(abs(falling * falling + rising * rising - 1) < 1e-5)
    }
    #expect(mixed[999] < 0.01 && mixed[5000] < 0.01)
    #expect((placed.mixedCount, placed.silentCount, placed.droppedCount) == (2000, 4000, 0))
  }

  @Test(arguments: [1, 300, 480, 700, 2880])
  func soundFadesIntoAShortGap(gap: Int) {
    var placed = TimelineSampleBuffer(from: 0)
    placed.move(to: 0)
    placed.append([Float](repeating: 1, count: 4000))
    placed.move(to: 2000 + Int64(gap))
    #expect(placed.settledEnd <= 2000 + Int64(gap - min(gap, 480)))
    placed.append([Float](repeating: 1, count: 4000))
    let end = 2000 + gap
    let mixed = Self.mix(&placed, 0..<Int64(end + 2000))
    #expect(mixed[..<2000].allSatisfy { $0 == 1 } && mixed[end...].allSatisfy { $0 == 1 })
    let edge = min(gap, 480)
    for index in 0..<edge {
      let angle = Double.pi / 2 * (Double(index) + 0.5) / Double(edge)
      let rising = Double.pi / 2 * (Double(index - gap + edge) + 0.5) / Double(edge)
      let other = rising > 0 ? sin(rising) : 0
      #expect(abs(mixed[2000 + index] - Float(cos(angle) + other)) < 1e-5)
      #expect(abs(mixed[2000 + index] - mixed[end - 1 - index]) < 1e-5)
    }
    #expect(mixed[(2000 + edge)..<max(2000 + edge, end - 480)].allSatisfy { $0 == 0 })
    #expect(placed.silentCount == gap)
  }

  @Test func shortSoundsFadeAsFarAsTheyLast() {
    var placed = TimelineSampleBuffer(from: 0)
    placed.move(to: 0)
    placed.append([Float](repeating: 1, count: 20))
    placed.move(to: 1010)
    placed.append([])
    placed.append([Float](repeating: 1, count: 40))
    let mixed = Self.mix(&placed, 0..<1030)
    #expect(mixed[9] == 1 && mixed[10] > 0.9 && mixed[19] < 0.2 && mixed[20] == 0)
    #expect(mixed[1010] == 1 && mixed[1009] > 0.9 && mixed[969] == 0)
  }

  @Test func dropsOverConcealedSoundAreNoLoss() {
    var placed = TimelineSampleBuffer(from: 0)
    placed.move(to: 0)
    placed.append([Float](repeating: 0.5, count: 2000))
    placed.move(to: 900, overMadeUp: true)
    placed.append([Float](repeating: 0.5, count: 2000))
    let mixed = Self.mix(&placed, 0..<1900)
    #expect(placed.droppedCount == 0)
    // The fade is as long as the overlap, without a jump.
    for index in 1..<1900 { #expect(abs(mixed[index] - mixed[index - 1]) < 0.02) }
  }

  @Test func overlapIsDroppedAndCrossfaded() {
    var placed = TimelineSampleBuffer(from: 0)
    placed.move(to: 0)
    placed.append(Self.frames(1..<1001))
    placed.move(to: 500)
    placed.append(Self.frames(501..<701))
    placed.append(Self.frames(701..<1501))
    let mixed = Self.mix(&placed, 0..<1500)
    #expect(placed.droppedCount == 500)
    for index in 0..<1500 where !(1000 - Self.fade..<1000).contains(index) {
      #expect(mixed[index] == Float(index + 1))
    }
    // Equal sound on both sides gets louder by at most 3 dB.
    for index in 1000 - Self.fade..<1000 {
      #expect((0.99...1.42).contains(mixed[index] / Float(index + 1)))
    }
  }

  @Test func soundBeforeTheStartIsDiscardedAndTheRestFadesIn() {
    var placed = TimelineSampleBuffer(from: 3)
    placed.move(to: -2)
    placed.append([Float](repeating: 1, count: 4))
    placed.append([Float](repeating: 1, count: 2000))
    let mixed = Self.mix(&placed, 3..<900)
    #expect(mixed[0] < 0.01 && mixed[Self.fade..<800].allSatisfy { $0 == 1 })
    #expect(placed.droppedCount == 0)
  }

  @Test func aCutEndFadesOut() {
    var placed = TimelineSampleBuffer(from: 0)
    placed.move(to: 0)
    placed.append([Float](repeating: 1, count: 4000))
    placed.fadeOut(endingAt: 1000)
    let mixed = Self.mix(&placed, 0..<1000)
    #expect(mixed[..<(1000 - Self.fade)].allSatisfy { $0 == 1 })
    #expect(mixed[999] < 0.01)
  }

  @Test func aJumpOfAYearTakesNoMemory() {
    var placed = TimelineSampleBuffer(from: 0)
    placed.move(to: 0)
    placed.append(Self.frames(1..<3))
    placed.move(to: 365 * 86_400 * 48_000)
    placed.append(Self.frames(3..<5))
    #expect(Self.mix(&placed, 0..<4)[2...].allSatisfy { $0 == 0 })
    #expect(!placed.isEmpty)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func blocksOfAnySizeGiveEqualOutput(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (whole, parts) = (TimelineSampleBuffer(from: 0), TimelineSampleBuffer(from: 0))
    for number in 1...60 {
      let position = max(0, Int(whole.end) + Int.random(in: -200...300, using: &random))
      let count = Int.random(in: 0...1400, using: &random)
      let samples = Self.frames(1000 * number..<1000 * number + count)
      whole.move(to: Int64(position))
      whole.append(samples)
      parts.move(to: Int64(position))
      var taken = 0
      while taken < count {
        let size = min(count - taken, Int.random(in: 1...500, using: &random))
        parts.append(Array(samples[2 * taken..<2 * (taken + size)]))
        taken += size
      }
      #expect(parts.end == whole.end)
    }
    let expected = Self.mix(&whole, 0..<whole.end)
    var mixed: [Float] = []
    while mixed.count < expected.count {
      let count = min(expected.count - mixed.count, Int.random(in: 1...700, using: &random))
      mixed += Self.mix(&parts, Int64(mixed.count)..<Int64(mixed.count + count))
    }
    let agrees = mixed == expected
    #expect(agrees)
  }
}
