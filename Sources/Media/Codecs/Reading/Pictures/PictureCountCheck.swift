/// Compares the pictures that packets announce with those that the decoder returns, to detect
/// missing ones.
struct PictureCountCheck {
  /// The packets whose pictures have not been returned, in decoding order.
  private var waiting: [Int] = []
  /// The most recent packets whose pictures were counted as missing.
  private var missing: [Int] = []

  /// An upper bound of the number of pictures that any decoder holds back.
  private static let longestDelay = 64

  init() {
    waiting.reserveCapacity(Self.longestDelay + 1)
    missing.reserveCapacity(Self.longestDelay + 1)
  }

  /// Records that packet number `packet` was sent and announces a picture. Returns an earlier
  /// packet whose picture is overdue, or `nil`.
  mutating func announce(_ packet: Int) -> Int? {
    waiting.append(packet)
    return waiting.count > Self.longestDelay ? waiting.removeFirst() : nil
  }

  /// Records that the decoder returned the picture of packet number `packet`. Returns false if the
  /// picture is late and was already counted as missing.
  mutating func receive(_ packet: Int?) -> Bool {
    waiting.removeAll { $0 == packet }
    return !missing.contains { $0 == packet }
  }

  /// Removes and returns a packet sent before packet number `packet` whose picture should have been
  /// shown earlier but was not returned; `nil` if there is none.
  mutating func takeMissing(before packet: Int, _ isShownBefore: (Int) -> Bool) -> Int? {
    guard let place = waiting.firstIndex(where: { $0 < packet && isShownBefore($0) }) else {
      return nil
    }
    if missing.count == Self.longestDelay { missing.removeFirst() }
    missing.append(waiting[place])
    return waiting.remove(at: place)
  }

  /// Removes and returns a packet without a returned picture, after the flush; `nil` if there is
  /// none.
  mutating func takeRemaining() -> Int? { waiting.isEmpty ? nil : waiting.removeFirst() }

  mutating func removeAll() {
    waiting.removeAll(keepingCapacity: true)
    missing.removeAll(keepingCapacity: true)
  }
}
