import Foundation
import TesseraMedia
import TesseraTimeline
import TestSupport
import Testing

@Suite struct PacketIndexTests {
  private static func index(
    ticks: [Int64], keyframes: [(packet: Int, position: Int64)] = [(0, -1)],
    timeBase: Ratio = Ratio(1, 1000), endTicks: Int64 = 0
  ) -> PacketIndex {
    PacketIndex(
      timeBase: timeBase, ticks: ticks,
      keyframes: keyframes.map { PacketIndex.Keyframe(packet: $0.packet, position: $0.position) },
      endTicks: endTicks, isCounted: false)
  }

  private static func recoded(_ index: PacketIndex) throws -> PacketIndex {
    try JSONDecoder().decode(PacketIndex.self, from: try JSONEncoder().encode(index))
  }

  @Test func everyIndexComesBack() throws {
    let empty = Self.index(ticks: [], keyframes: [])
    #expect(try Self.recoded(empty) == empty)
    let extreme = Self.index(
      ticks: [.min, .max, 0, .max, .min], keyframes: [(0, .max), (4, .min)],
      timeBase: Ratio(.max, .min), endTicks: .max)
    #expect(try Self.recoded(extreme) == extreme)
    var counted = Self.index(ticks: Array(0..<100), endTicks: 100)
    counted.isCounted = true
    #expect(try Self.recoded(counted) == counted)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func anHourOfVariablePicturesTakesAFewBytesEach(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var (ticks, time): ([Int64], Int64) = ([], 0)
    while time < 3_600_000 {
      ticks.append(time)
      time += Int64.random(in: 31...36, using: &random)
    }
    let keyframes = stride(from: 0, to: ticks.count, by: 150).map { ($0, Int64($0) * 4321) }
    let index = Self.index(ticks: ticks, keyframes: keyframes, endTicks: time)
    let data = try JSONEncoder().encode(index)
    #expect(data.count < 4 * ticks.count)
    #expect(try JSONDecoder().decode(PacketIndex.self, from: data) == index)
  }

  @Test func keyframeIsTheLastOneNotPresentedAfterThePicture() {
    // Decoding order of three groups of pictures, the second and third begun by a keyframe that
    // pictures before it follow.
    let index = Self.index(
      ticks: [0, 80, 40, 200, 120, 160, 320, 240, 280], keyframes: [(0, 10), (3, 20), (6, 30)])
    let positions = [0, 40, 199, 200, 319, 320, 9999].map {
      index.keyframe(forPictureAt: $0)?.position
    }
    #expect(positions == [10, 10, 10, 20, 20, 30, 30])
    #expect(index.keyframe(forPictureAt: -1) == nil)
  }

  @Test func timesAreRelativeToTheFilesBeginning() {
    let index = Self.index(ticks: [1500, 1533], timeBase: Ratio(1, 1000))
    let zero = MediaTime(seconds: 1)
    #expect(index.time(ofPacket: 0, zero: zero) == MediaTime(nanoseconds: 500_000_000))
    #expect(index.time(ofPacket: 1, zero: zero) == MediaTime(nanoseconds: 533_000_000))
    #expect(index.time(ticks: .max, zero: zero) == MediaTime(seconds: -1))
  }

  @Test(arguments: [
    // Three keyframe numbers, a keyframe beyond the packets, one before them, no row at all.
    #"{"timeBase":{"numerator":1,"denominator":1000},"ticks":"AA","keyframes":"AAA","endTicks":1,"isCounted":false}"#,
    #"{"timeBase":{"numerator":1,"denominator":1000},"ticks":"AA","keyframes":"EA","endTicks":1,"isCounted":false}"#,
    #"{"timeBase":{"numerator":1,"denominator":1000},"ticks":"AA","keyframes":"DA","endTicks":1,"isCounted":false}"#,
    #"{"timeBase":{"numerator":1,"denominator":1000},"ticks":"A!","keyframes":"AA","endTicks":1,"isCounted":false}"#,
    #"{"timeBase":{"numerator":1,"denominator":1000},"ticks":[0],"keyframes":"AA","endTicks":1,"isCounted":false}"#,
    #"{"ticks":"AA","keyframes":"AA","endTicks":1,"isCounted":false}"#,
  ])
  func garbageIsRefused(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PacketIndex.self, from: Data(json.utf8))
    }
  }
}
