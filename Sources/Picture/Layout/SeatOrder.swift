import TesseraTimeline

/// The seats of the participants, in order: the memory that keeps participants from changing places
/// needlessly.
struct SeatOrder: Sendable {
  private var seated: [LayoutItem.ID] = []
  /// The time at which a participant who stayed in the call last lost a seat.
  private var lastLoss: MediaTime?
  /// The time until which a participant waits for a seat; `nil` if nobody waits.
  private(set) var heldUntil: MediaTime?

  /// The minimum time between two losses of a seat: 10 s. Items that must be visible (focused,
  /// active speaker, screens) are exempt.
  private static let holdTime = MediaTime(seconds: 10)

  /// The least limit at which one tile counts the participants without a tile. With fewer tiles the
  /// count would take a third of the canvas.
  private static let fewestWithCount = 4

  /// Seats at most `limit` of `items` and returns them in the order of their seats.
  ///
  /// If there are more items and enough tiles, the last returned item is the overflow tile. A
  /// participant who had a seat and still gets one keeps it. A free seat goes to a newcomer. If
  /// there is none, `seating` decides who moves. Newcomers without a free seat are seated last.
  ///
  /// `time` is the time in the call; `nil` if it is unknown. A seat is lost to an item that need
  /// not be visible only 10 s after the previous loss.
  mutating func seat(
    _ items: [LayoutItem], limit: Int, seating: SeatingRule, at time: MediaTime? = nil
  ) -> [LayoutItem] {
    let chosen = choose(items, limit: limit, at: time)
    if chosen.count == items.count, seated.elementsEqual(items.lazy.map(\.id)) { return items }
    var byID = [LayoutItem.ID: LayoutItem](minimumCapacity: chosen.count)
    for item in chosen { byID[item.id] = item }
    let old = Set(seated)
    var newcomers = chosen.lazy.map(\.id).filter { !old.contains($0) }.makeIterator()
    var seats: [LayoutItem.ID?] = seated.map { byID[$0] == nil ? newcomers.next() : $0 }
    while let next = newcomers.next() { seats.append(next) }
    seated = Self.closed(seats, seating)
    var result = seated.compactMap { byID[$0] }
    if chosen.count < items.count, limit >= Self.fewestWithCount {
      result.append(.overflow(count: items.count - chosen.count))
    }
    return result
  }

  /// Exchanges two seats, given by their indexes in the last result of
  /// ``seat(_:limit:seating:at:)``.
  mutating func exchange(_ one: Int, _ other: Int) { seated.swapAt(one, other) }

  /// Returns the seats with the free ones (`nil`) closed up by the rule `seating`.
  private static func closed(_ seats: [LayoutItem.ID?], _ seating: SeatingRule) -> [LayoutItem.ID] {
    guard seating == .seats else { return seats.compactMap { $0 } }
    var seats = seats
    for index in seats.indices.reversed() where seats[index] == nil {
      let last = seats.removeLast()
      if index < seats.count { seats[index] = last }
    }
    return seats.compactMap { $0 }
  }

  /// Returns the items that get a seat: all, or one fewer than `limit` if a tile counts the rest.
  ///
  /// Order of preference: focused, active speaker, screens, cameras that are on. Among equals: who
  /// spoke last, who already has a seat, who joined first. Because silent items are ordered by the
  /// time they last spoke, a newcomer replaces one participant and moves nobody else. During the
  /// hold time, seated items precede all items that need not be visible.
  private mutating func choose(
    _ items: [LayoutItem], limit: Int, at time: MediaTime?
  ) -> [LayoutItem] {
    heldUntil = nil
    guard items.count > limit else { return items }
    let old = Set(seated)
    let ranked = items.enumerated().map { index, item in
      Rank(
        group: Self.group(item), lastSpoke: item.lastSpoke?.nanoseconds ?? .min,
        isNew: old.contains(item.id) ? 0 : 1, index: index)
    }
    let count = limit >= Self.fewestWithCount ? limit - 1 : max(1, limit)
    func best(_ order: (Rank, Rank) -> Bool) -> [LayoutItem] {
      ranked.sorted(by: order).prefix(count).map(\.index).sorted().map { items[$0] }
    }
    var chosen = best(<)
    if let time, let lastLoss, time < lastLoss + Self.holdTime {
      let held = best { ($0.hold, $0) < ($1.hold, $1) }
      heldUntil = held != chosen ? lastLoss + Self.holdTime : nil
      chosen = held
    }
    let kept = Set(chosen.lazy.map(\.id))
    if items.contains(where: { old.contains($0.id) && !kept.contains($0.id) }) { lastLoss = time }
    return chosen
  }

  private static func group(_ item: LayoutItem) -> Int {
    item.isFocused
      ? 0 : item.isSpeaking ? 1 : item.kind == .screen ? 2 : item.isSeen ? 3 : 4
  }

  private struct Rank: Comparable {
    let group: Int
    let lastSpoke: Int64
    let isNew: Int
    let index: Int

    /// The order during the hold time: 0 for items that must be visible, 1 for seated items, 2 for
    /// newcomers.
    var hold: Int { group < 3 ? 0 : 1 + isNew }

    static func < (a: Rank, b: Rank) -> Bool {
      (a.group, b.lastSpoke, a.isNew, a.index) < (b.group, a.lastSpoke, b.isNew, b.index)
    }
  }
}
