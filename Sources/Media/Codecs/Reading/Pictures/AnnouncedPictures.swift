/// Counts the pictures that packets announce against those that a decoder returns.
struct AnnouncedPictures {
  /// The packets whose pictures have not come out, in decoding order.
  private var waiting: [Int] = []
  /// The last packets whose pictures were counted as missing.
  private var missing: [Int] = []

  /// No decoder holds back more pictures than these.
  private static let longestDelay = 64

  init() {
    waiting.reserveCapacity(Self.longestDelay + 1)
    missing.reserveCapacity(Self.longestDelay + 1)
  }

  /// Notes that packet number `packet` was sent and announces a picture; returns one that was sent so
  /// long ago that its picture will not come.
  mutating func announce(_ packet: Int) -> Int? {
    waiting.append(packet)
    return waiting.count > Self.longestDelay ? waiting.removeFirst() : nil
  }

  /// Notes that the decoder returned the picture of packet number `packet`; returns false if it comes
  /// too late and was counted as missing.
  mutating func receive(_ packet: Int?) -> Bool {
    waiting.removeAll { $0 == packet }
    return !missing.contains { $0 == packet }
  }

  /// Takes out a packet that was sent before packet number `packet`, was to be shown before it, and
  /// whose picture did not come out before it.
  mutating func takeMissing(before packet: Int, _ isShownBefore: (Int) -> Bool) -> Int? {
    guard let place = waiting.firstIndex(where: { $0 < packet && isShownBefore($0) }) else {
      return nil
    }
    if missing.count == Self.longestDelay { missing.removeFirst() }
    missing.append(waiting[place])
    return waiting.remove(at: place)
  }

  /// Takes out a packet whose picture has not come, at the end.
  mutating func takeRemaining() -> Int? { waiting.isEmpty ? nil : waiting.removeFirst() }

  mutating func removeAll() {
    waiting.removeAll(keepingCapacity: true)
    missing.removeAll(keepingCapacity: true)
  }
}
