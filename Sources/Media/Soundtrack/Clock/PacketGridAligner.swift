/// Aligns short segments between two gaps with the packet grid of the segments around them.
///
/// A silent sender continues to count, and a lost packet was sent: gaps are whole packets. If the
/// long segments before and after a gap agree on a grid, the few packets between them are a whole
/// number of packets from both, although their timestamps place them only roughly. Segments that do
/// not agree, after a pause of any length, are not moved.
enum PacketGridAligner {
  /// The level of a segment's lag.
  struct Level {
    /// The lag in samples.
    var value: Double
    /// The standard deviation of `value`, in samples.
    var uncertainty: Double
  }

  /// The largest standard deviation of a reliable level, as a share of a packet: 0.5 ms of 20 ms.
  private static let known = 1.0 / 40
  /// The difference that is ignored, in samples: 1 ms.
  private static let tolerance = 48.0

  /// Returns the shift of each of `levels` in samples, for packets of `length` samples.
  static func moves(_ levels: [Level], packet length: Double) -> [Double] {
    let known = levels.indices.filter { levels[$0].uncertainty <= length * Self.known }
    guard known.count > 1 else { return levels.map { _ in 0 } }
    // The grid between each two neighboring reliable levels.
    let bases = zip(known, known.dropFirst()).map { base(levels[$0], levels[$1], length) }
    var next = 0
    return levels.indices.map { index in
      while next < known.count, known[next] < index { next += 1 }
      let isKnown = next < known.count && known[next] == index
      // With more noise, the packet of the grid is ambiguous.
      guard !isKnown, 6 * levels[index].uncertainty <= length,
        let base = bases[min(max(0, next - 1), bases.count - 1)]
      else { return 0 }
      return rest(base - levels[index].value, length)
    }
  }

  /// Returns a point of the grid that two levels share, or `nil` if they are on different grids.
  private static func base(_ before: Level, _ after: Level, _ length: Double) -> Double? {
    let difference = rest(after.value - before.value, length)
    let (first, second) = (
      before.uncertainty * before.uncertainty, after.uncertainty * after.uncertainty
    )
    guard abs(difference) <= 3 * (first + second).squareRoot() + tolerance else { return nil }
    return before.value + difference * first / max(1e-9, first + second)
  }

  /// Returns the remainder of `value` modulo `length`, from -`length`/2 to `length`/2.
  private static func rest(_ value: Double, _ length: Double) -> Double {
    value - (value / length).rounded() * length
  }
}
