package import TesseraTimeline

/// A moment at which the people to be placed, or their places, change.
package struct LayoutChange: Sendable {
  /// When it happens.
  package var time: MediaTime
  /// Everyone who is to be placed from then on, in join order.
  package var items: [LayoutItem]
  /// The policy from then on; nil keeps the one before.
  package var policy: (any LayoutPolicy)?

  /// The change to `items` at `time`, and to `policy` if one is given.
  package init(time: MediaTime, items: [LayoutItem], policy: (any LayoutPolicy)? = nil) {
    self.time = time
    self.items = items
    self.policy = policy
  }
}

/// The attributes of everyone at any time of a recording, transitions included.
///
/// Everything is placed when the timeline is made; asking for a time only looks up and, within a
/// transition, interpolates. So any frame can be computed alone, also the first of a range that
/// begins inside a transition.
package struct AttributeTimeline: Hashable, Sendable {
  /// The time from one change to the next.
  struct Span: Hashable, Sendable {
    let start: MediaTime
    /// What moves, leavers included, farthest back first; empty where nothing does.
    let motions: [Motion]
    /// What is seen when the motion is over, farthest back first.
    let rest: [LayoutAttributes]
  }

  struct Motion: Hashable, Sendable, Codable {
    let from: LayoutAttributes
    let to: LayoutAttributes

    /// How far the edges move together, in pixels.
    var distance: Double {
      let (a, b) = (from.displayFrame, to.displayFrame)
      return abs(a.x - b.x) + abs(a.y - b.y) + abs(a.maxX - b.maxX) + abs(a.maxY - b.maxY)
    }
  }

  /// Who cannot be seen from a time on (``LayoutEngine/strays``).
  struct Strays: Hashable, Sendable, Codable {
    let start: MediaTime
    let items: Set<LayoutItem.ID>
  }

  /// Those who have no tile from a time on, in join order.
  package struct Hidden: Hashable, Sendable, Codable {
    /// From when on.
    package let start: MediaTime
    /// Who.
    package let items: [LayoutItem.ID]
  }

  /// A span in which an item is among the attributes, if only until it has left.
  private struct Appearance: Hashable, Sendable {
    let span: Int
    let isLeaving: Bool
  }

  /// How what changes moves.
  package let transition: Transition
  private(set) var spans: [Span] = []
  /// For every item that is ever seen, its spans in their order.
  private var appearances: [LayoutItem.ID: [Appearance]] = [:]
  private(set) var strays: [Strays] = []
  /// When the people there, or their places, become different, in ascending order; the first is
  /// the beginning.
  package var changeTimes: [MediaTime] { spans.map(\.start) }
  /// Those who have no tile of their own, over time.
  package private(set) var hidden: [Hidden] = []
  /// Those who are to be shown (``LayoutPolicy/isMeant(for:)``) without a tile that counts the rest.
  private(set) var wanted: Set<LayoutItem.ID> = []

  /// Places every change by `engine`.
  ///
  /// Changes are taken in the order of their times; of several at one time, the last holds. What
  /// is there at `start` or before is there at once, everything later moves by `transition`. A
  /// change that comes while another is still moving begins where that one has come to.
  ///
  /// - Throws: What a change's policy has against the engine's canvas.
  package init(
    _ changes: [LayoutChange], engine: LayoutEngine, transition: Transition = .standard,
    start: MediaTime = .zero
  ) throws(LayoutError) {
    self.transition = transition
    var engine = engine
    let changes = changes.stablySorted(by: \.time)
    var isOther = false
    for (index, change) in changes.enumerated() {
      if let policy = change.policy {
        try engine.setPolicy(policy)
        isOther = true
      }
      guard index + 1 == changes.count || changes[index + 1].time > change.time else { continue }
      add(change, engine: &engine, isAnimated: change.time > start, isOther: isOther)
      isOther = false
      // Of those who wait for a seat, one gets it between two changes.
      while index + 1 < changes.count, let due = engine.nextSeating, due < changes[index + 1].time {
        add(
          LayoutChange(time: due, items: change.items), engine: &engine, isAnimated: due > start,
          isOther: false)
      }
    }
  }

  private mutating func add(
    _ change: LayoutChange, engine: inout LayoutEngine, isAnimated: Bool, isOther: Bool
  ) {
    append(change, engine: &engine, isAnimated: isAnimated, isOther: isOther)
    if engine.policy.overflow == .everyone {
      wanted.formUnion(change.items.filter(engine.policy.isMeant).map(\.id))
    }
    if engine.unplaced != hidden.last?.items ?? [] {
      hidden.append(Hidden(start: change.time, items: engine.unplaced))
    }
    if engine.strays != strays.last?.items ?? [] {
      strays.append(Strays(start: change.time, items: engine.strays))
    }
  }

  /// The attributes of all that can be seen at `time`, farthest back first; nothing before the
  /// first change.
  ///
  /// Outside transitions this allocates nothing and the same array is returned again and again.
  package func attributes(at time: MediaTime) -> [LayoutAttributes] {
    let index = spans.partitioningIndex { $0.start > time } - 1
    guard index >= 0 else { return [] }
    let span = spans[index]
    let elapsed = time - span.start
    guard !span.motions.isEmpty, elapsed < transition.duration else { return span.rest }
    return Self.attributes(of: span.motions, progress: transition.progress(elapsed: elapsed))
  }

  /// What is seen of `motions` when they have come as far as `progress`, farthest back first.
  static func attributes(of motions: [Motion], progress: Double) -> [LayoutAttributes] {
    motions.map { $0.from.interpolated(to: $0.to, progress: progress) }
      .stablySorted(by: \.zIndex)
  }

  /// The times before `end` at which the item `id` is among the attributes, while it leaves
  /// included, in ascending order; they do not touch.
  package func visibilities(of id: LayoutItem.ID, before end: MediaTime) -> [TimeRange] {
    var times: [TimeRange] = []
    for appearance in appearances[id, default: []] {
      let start = spans[appearance.span].start
      guard start < end else { break }
      let next =
        appearance.span + 1 < spans.count ? min(spans[appearance.span + 1].start, end) : end
      let last = appearance.isLeaving ? min(start + transition.duration, next) : next
      if let before = times.last, before.end >= start {
        times[times.count - 1].end = max(before.end, last)
      } else {
        times.append(TimeRange(start: start, end: last))
      }
    }
    return times
  }

  /// The attributes that the item `id` has while nothing moves.
  package func resting(_ id: LayoutItem.ID) -> Set<LayoutAttributes> {
    var all: Set<LayoutAttributes> = []
    for appearance in appearances[id, default: []] where !appearance.isLeaving {
      all.formUnion(spans[appearance.span].rest.filter { $0.id == id })
    }
    return all
  }

  /// The times before `end` in which the item `id` is there, but nothing of its tile can be seen
  /// (``LayoutEngine/strays``).
  package func strayTimes(of id: LayoutItem.ID, before end: MediaTime) -> [TimeRange] {
    var times: [TimeRange] = []
    for (index, change) in strays.enumerated() where change.start < end {
      guard change.items.contains(id) else { continue }
      let next = index + 1 < strays.count ? min(strays[index + 1].start, end) : end
      if times.last?.end == change.start {
        times[times.count - 1].end = next
      } else {
        times.append(TimeRange(start: change.start, end: next))
      }
    }
    return times
  }

  /// Whether the item `id` is to be shown but never is, because the policy has no room for it: it
  /// scrolls, or has few places.
  package func isOutOfSight(_ id: LayoutItem.ID) -> Bool {
    wanted.contains(id) && appearances[id] == nil && !strays.contains { $0.items.contains(id) }
  }

  /// Adds what becomes of `change`; `isOther` is whether the policy is another one.
  private mutating func append(
    _ change: LayoutChange, engine: inout LayoutEngine, isAnimated: Bool, isOther: Bool
  ) {
    let before = engine
    let rest = engine.place(change.items, at: change.time)
    guard rest != before.attributes || spans.isEmpty else { return }
    let current = attributes(at: change.time)
    var motions: [Motion] = []
    if isAnimated, transition.duration > .zero {
      // What is still moving moves on.
      let places = Set(before.attributes.map(\.frame))
      let isStill = current.allSatisfy { places.contains($0.frame) }
      motions =
        !isOther && isStill && engine.dissolves(from: before)
        ? Self.dissolving(from: current, to: rest)
        : Self.motions(from: current, before: before, to: engine)
    }
    append(Span(start: change.time, motions: motions, rest: rest))
  }

  /// A timeline without spans.
  init(
    transition: Transition, strays: [Strays], hidden: [Hidden], wanted: Set<LayoutItem.ID>
  ) {
    (self.transition, self.strays, self.hidden, self.wanted) = (transition, strays, hidden, wanted)
  }

  /// Adds the span that comes next.
  mutating func append(_ span: Span) {
    note(span.rest, isLeaving: false)
    note(span.motions.map(\.to), isLeaving: true)
    spans.append(span)
  }

  /// Notes the people seen in the span that comes next.
  private mutating func note(_ attributes: [LayoutAttributes], isLeaving: Bool) {
    for id in attributes.lazy.map(\.id) where appearances[id]?.last?.span != spans.count {
      appearances[id, default: []].append(Appearance(span: spans.count, isLeaving: isLeaving))
    }
  }
}
