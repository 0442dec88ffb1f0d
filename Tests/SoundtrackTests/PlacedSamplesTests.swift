import TesseraSoundtrack
import TestSupport
import Testing

@Suite struct PlacedSamplesTests {
  /// Frames whose left sample is the number and whose right sample is its negative.
  private static func frames(_ numbers: Range<Int>) -> [Float] {
    numbers.flatMap { [Float($0), -Float($0)] }
  }

  private static func mix(_ placed: inout PlacedSamples, _ range: Range<Int64>) -> [Float] {
    var block = [Float](repeating: 0, count: 2 * range.count)
    placed.mix(range, into: &block, origin: range.lowerBound)
    return stride(from: 0, to: block.count, by: 2).map { block[$0] }
  }

  @Test func gapsAreSilent() {
    var placed = PlacedSamples(from: 0)
    placed.move(to: 2)
    placed.append(Self.frames(1..<4))
    placed.move(to: 8)
    placed.append(Self.frames(4..<6))
    #expect(Self.mix(&placed, 0..<4) == [0, 0, 1, 2])
    #expect(Self.mix(&placed, 4..<12) == [3, 0, 0, 0, 4, 5, 0, 0])
    #expect((placed.mixedCount, placed.silentCount, placed.droppedCount) == (5, 3, 0))
    #expect(placed.isEmpty)
  }

  @Test func overlapIsDropped() {
    var placed = PlacedSamples(from: 0)
    placed.move(to: 0)
    placed.append(Self.frames(1..<5))
    placed.move(to: 1)
    placed.append(Self.frames(5..<7))
    placed.append(Self.frames(7..<10))
    #expect(Self.mix(&placed, 0..<8) == [1, 2, 3, 4, 8, 9, 0, 0])
    #expect(placed.droppedCount == 3)
  }

  @Test func whatLiesBeforeTheStartIsForgotten() {
    var placed = PlacedSamples(from: 3)
    placed.move(to: -2)
    placed.append(Self.frames(1..<4))
    placed.append(Self.frames(4..<8))
    #expect(Self.mix(&placed, 3..<6) == [6, 7, 0])
    #expect((placed.mixedCount, placed.droppedCount) == (2, 0))
  }

  @Test func aJumpOfAYearTakesNoMemory() {
    var placed = PlacedSamples(from: 0)
    placed.move(to: 0)
    placed.append(Self.frames(1..<3))
    placed.move(to: 365 * 86_400 * 48_000)
    placed.append(Self.frames(3..<5))
    #expect(Self.mix(&placed, 0..<4) == [1, 2, 0, 0])
    #expect(!placed.isEmpty)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func blocksOfAnySizeGiveTheSame(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var placed = PlacedSamples(from: 0)
    var expected = [Float](repeating: 0, count: 4000)
    var end = 0
    for number in 1...60 {
      let position = max(0, end + Int.random(in: -20...30, using: &random))
      let count = Int.random(in: 0...40, using: &random)
      placed.move(to: Int64(position))
      placed.append(Self.frames(1000 * number..<1000 * number + count))
      for index in 0..<count where position + index >= end {
        expected[position + index] = Float(1000 * number + index)
      }
      end = max(end, position + count)
      #expect(placed.end == Int64(max(end, position)))
      end = Int(placed.end)
    }
    var mixed: [Float] = []
    while mixed.count < 4000 {
      let count = min(4000 - mixed.count, Int.random(in: 1...70, using: &random))
      mixed += Self.mix(&placed, Int64(mixed.count)..<Int64(mixed.count + count))
    }
    let agrees = mixed == expected
    #expect(agrees)
  }
}
