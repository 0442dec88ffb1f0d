import TestSupport
import Testing

@testable import TesseraSoundtrack

@Suite(.timed) struct AlignmentGraphTests {
  private static func edge(
    _ from: Int, _ to: Int, at offset: Double, _ agreeing: Int, isMutual: Bool = true
  ) -> AlignmentGraph.Edge {
    AlignmentGraph.Edge(
      from: from, to: to,
      SoundAligner.Alignment(
        offset: offset, windowCount: 100, agreeingCount: agreeing, isMutual: isMutual))
  }

  private static let lengths = [60.0, 60, 60, 60]

  @Test func theSurestPairsJoinAndTheOthersAgree() {
    let graph = AlignmentGraph(
      Self.lengths, owners: Array(0..<4), fixed: [:],
      [
        Self.edge(1, 0, at: 5, 90), Self.edge(2, 1, at: 2, 80), Self.edge(2, 0, at: 7.003, 40),
      ])
    #expect(graph.groups == [0, 0, 0, 3])
    #expect(abs(graph.places[1].offset - 5) < 0.002 && abs(graph.places[2].offset - 7) < 0.002)
    #expect(graph.tree.map(\.confidence) == [0.9, 0.8])
  }

  /// If one of three pairs is wrong, it is unknown which one.
  @Test func contradictedPairsAreUnsure() {
    let graph = AlignmentGraph(
      Self.lengths, owners: Array(0..<4), fixed: [:],
      [Self.edge(1, 0, at: 5, 90), Self.edge(2, 1, at: 2, 80), Self.edge(2, 0, at: 7.1, 60)])
    #expect(graph.tree.map(\.confidence) == [0.5, 0.5])
  }

  @Test func groupsStaySeparateAndOneWayPairsComeLast() {
    let graph = AlignmentGraph(
      Self.lengths, owners: Array(0..<4), fixed: [1: SoundAligner.Position(offset: 10)],
      [
        Self.edge(0, 1, at: -4, 50), Self.edge(3, 2, at: 1, 90),
        Self.edge(2, 0, at: 3, 90, isMutual: false),
      ])
    #expect(graph.places.map(\.offset) == [6, 10, 9, 10])
    #expect(graph.groups == [1, 1, 1, 1] && graph.path(1, 3).count == 3)
  }

  @Test func clocksAddUp() {
    var edges = [Self.edge(1, 0, at: 100, 90), Self.edge(2, 1, at: -30, 90)]
    edges[0].alignment.partsPerMillion = 100
    edges[1].alignment.partsPerMillion = -40
    let place = AlignmentGraph(Self.lengths, owners: Array(0..<4), fixed: [:], edges).places[2]
    #expect(abs(place.offset - (100 - 30 * 1.0001)) < 1e-6)
    #expect(abs((place.rate - 1) * 1e6 - 60) < 0.1)
  }
}
