import TesseraTimeline

/// The people who have seats, and their order: the memory that keeps people from jumping about.
struct Seats: Sendable {
  private var seated: [LayoutItem.ID] = []
  /// When somebody who stayed last lost a seat.
  private var lastLoss: MediaTime?
  /// Until when somebody waits for a seat; nil where nobody does.
  private(set) var heldUntil: MediaTime?

  /// How long seats stay as they are, but for those who must be seen: the focused, the active
  /// speaker, shared screens.
  private static let holdTime = MediaTime(seconds: 10)

  /// From so many tiles on one of them counts those without a tile: of fewer it would take a third
  /// of the canvas.
  private static let fewestWithCount = 4

  /// Seats at most `limit` of `items` and returns them in the order of their seats; if there are
  /// more, and not too few tiles, the last returned is a tile that counts the rest.
  ///
  /// One who had a seat and still gets one keeps it. A free seat is taken by a newcomer. If there
  /// is none, `seating` says who moves; newcomers that find no free seat sit down after the others.
  /// `time`, where it is known, is the call's: a seat is lost to somebody who need not be seen only
  /// ten seconds after the last was lost.
  mutating func seat(
    _ items: [LayoutItem], limit: Int, seating: Seating, at time: MediaTime? = nil
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

  /// Has the owners of two seats, by their places in what ``seat(_:limit:seating:at:)`` returned last, change seats.
  mutating func exchange(_ one: Int, _ other: Int) { seated.swapAt(one, other) }

  /// The seats without the free ones.
  private static func closed(_ seats: [LayoutItem.ID?], _ seating: Seating) -> [LayoutItem.ID] {
    guard seating == .seats else { return seats.compactMap { $0 } }
    var seats = seats
    for index in seats.indices.reversed() where seats[index] == nil {
      let last = seats.removeLast()
      if index < seats.count { seats[index] = last }
    }
    return seats.compactMap { $0 }
  }

  /// The items that get a seat: all, or one fewer than `limit` where a tile counts the rest.
  ///
  /// First come the focused, then the active speaker, then screens, then those whose camera is on;
  /// among equals who spoke last, then those who have a seat already, then those who joined first.
  /// Because the order among the silent follows the time they last spoke, a newcomer replaces one
  /// person and moves nobody else. While seats are held, those who have one come before all who need
  /// not be seen.
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

    /// While seats are held: 0 for those who must be seen, 1 for those who have a seat.
    var hold: Int { group < 3 ? 0 : 1 + isNew }

    static func < (a: Rank, b: Rank) -> Bool {
      (a.group, b.lastSpoke, a.isNew, a.index) < (b.group, a.lastSpoke, b.isNew, b.index)
    }
  }
}
