import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// A digest covers all that a value encodes, and nothing else.
@Suite(.timed) struct ContentDigesterTests {
  private struct Pair: Encodable {
    var first: String?
    var second: String?
  }

  private enum Choice: Encodable {
    case one(Int)
    case two(Int)
  }

  private struct Marked: Encodable {
    var seen = 1
    @ExcludedFromDigest var hidden = 1
  }

  @Test func differentValuesHaveDifferentDigests() {
    let values: [any Encodable] = [
      ["ab", "c"], ["a", "bc"], ["abc"], [["ab"], ["c"]], [["ab", "c"]],
      Pair(first: "a", second: nil), Pair(first: nil, second: "a"), Pair(), Choice.one(1),
      Choice.two(1), Choice.one(2), 1, 1.0, "1", true, UInt64.max, -1, [1, 2], [12], 0.5,
      ["a": 1, "b": 2], ["a": 2, "b": 1], StoredBlob([1, 2]), StoredBlob([12]),
    ]
    let digests = values.map { ContentDigester.of($0) }
    #expect(Set(digests).count == values.count)
    #expect(digests.allSatisfy { $0.utf8.count == 64 })
    #expect(digests == values.map { ContentDigester.of($0) })
  }

  @Test func digestedValuesCountByTheirDigest() {
    let values = [[1, 2], [2, 1], []].map(DigestEncoded.init)
    #expect(Set(values.map { ContentDigester.of($0) }).count == values.count)
    #expect(ContentDigester.of(DigestEncoded([1, 2])) == ContentDigester.of(values[0]))
    #expect(values.map(\.value) == [[1, 2], [2, 1], []])
  }

  @Test func integerWidthsDoNotMatter() {
    #expect(ContentDigester.of([Int8(-1)]) == ContentDigester.of([-1]))
    #expect(ContentDigester.of([UInt64(1)]) == ContentDigester.of([1]))
    #expect(ContentDigester.of([Int]()) != ContentDigester.of([[Int]()]))
  }

  @Test func theOrderOfDictionariesDoesNotMatter() {
    let keys = (0..<40).map { "key \($0)" }
    func dictionary(_ keys: [String]) -> [String: Int] {
      var dictionary: [String: Int] = [:]
      for key in keys { dictionary[key] = key.count }
      return dictionary
    }
    let digest = ContentDigester.of(dictionary(keys))
    for _ in 0..<5 {
      // Capacity changes the order of a dictionary's elements.
      var other = dictionary(keys.shuffled())
      other.reserveCapacity(Int.random(in: 40..<4000))
      #expect(ContentDigester.of(other) == digest)
      #expect(ContentDigester.of(Set(keys.shuffled())) == ContentDigester.of(Set(keys)))
    }
  }

  @Test func uncoveredPropertiesDoNotCount() {
    #expect(ContentDigester.of(Marked(hidden: 2)) == ContentDigester.of(Marked(hidden: 1)))
    #expect(ContentDigester.of(Marked(seen: 2)) != ContentDigester.of(Marked()))
  }

  /// More bytes than the hash takes at once.
  @Test func longValuesAreCoveredToTheEnd() {
    var numbers = Array(0..<100_000)
    let digest = ContentDigester.of(numbers)
    numbers[99_999] += 1
    #expect(ContentDigester.of(numbers) != digest)
  }
}
