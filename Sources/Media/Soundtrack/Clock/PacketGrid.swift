/// Puts what little is heard between two gaps onto the grid of the packets around it.
///
/// A sender that is silent for a while goes on counting, and a packet that is lost was sent: what
/// is missing is whole packets. Where the long parts before and after a gap agree on that, a few
/// packets between them, whose times say only roughly where they belong, lie a whole number of
/// packets from both. Parts that do not agree, after a pause of any length, stay where they are.
enum PacketGrid {
  /// The level of a segment's lag, in samples.
  struct Level {
    var value: Double
    /// Its standard deviation.
    var uncertainty: Double
  }

  /// A level is known well where its deviation is below that part of a packet: 0.5 ms of 20.
  private static let known = 1.0 / 40
  /// A millisecond is not a difference.
  private static let tolerance = 48.0

  /// By how many samples each of `levels` is to be moved, with packets of `length` samples.
  static func moves(_ levels: [Level], packet length: Double) -> [Double] {
    let known = levels.indices.filter { levels[$0].uncertainty <= length * Self.known }
    guard known.count > 1 else { return levels.map { _ in 0 } }
    // Where the grid lies between two neighbors that are known.
    let bases = zip(known, known.dropFirst()).map { base(levels[$0], levels[$1], length) }
    var next = 0
    return levels.indices.map { index in
      while next < known.count, known[next] < index { next += 1 }
      let isKnown = next < known.count && known[next] == index
      // Where noise is wider, it is not certain between which packets it lies.
      guard !isKnown, 6 * levels[index].uncertainty <= length,
        let base = bases[min(max(0, next - 1), bases.count - 1)]
      else { return 0 }
      return rest(base - levels[index].value, length)
    }
  }

  /// A point of the grid that two levels lie on; nil where they lie on different ones.
  private static func base(_ before: Level, _ after: Level, _ length: Double) -> Double? {
    let difference = rest(after.value - before.value, length)
    let (first, second) = (
      before.uncertainty * before.uncertainty, after.uncertainty * after.uncertainty
    )
    guard abs(difference) <= 3 * (first + second).squareRoot() + tolerance else { return nil }
    return before.value + difference * first / max(1e-9, first + second)
  }

  /// What is left of `value` without whole packets, at most half of one either way.
  private static func rest(_ value: Double, _ length: Double) -> Double {
    value - (value / length).rounded() * length
  }
}
