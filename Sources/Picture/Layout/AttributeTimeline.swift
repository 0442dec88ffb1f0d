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
/// transition that does not scroll, interpolates. So any frame can be computed alone, also the first
/// of a range that begins inside a transition.
package struct AttributeTimeline: Hashable, Sendable {
  /// The time from one change to the next.
  struct Span: Hashable, Sendable {
    let start: MediaTime
    /// What moves, leavers included, farthest back first; empty where nothing does, or all scrolls.
    let motions: [Motion]
    /// What is seen in each frame while the canvas moves over the content, farthest back first.
    var steps: [[LayoutAttributes]] = []
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
  /// The frames for which ``Span/steps`` are planned.
  let frameRate: FrameRate
  private(set) var spans: [Span] = []
  /// For every item that is ever seen, its spans in their order.
  private var appearances: [LayoutItem.ID: [Appearance]] = [:]
  private(set) var strays: [Strays] = []
  /// When the people there, or their places, become different, in ascending order; the first is
  /// the beginning.
  package var changeTimes: [MediaTime] { spans.map(\.start) }
  /// Those who have no tile of their own, over time.
  package private(set) var hidden: [Hidden] = []
  /// Those who are to be shown (``LayoutPolicy/isMeant(for:)``), but are at some time not: the policy
  /// has no place for them, or the canvas lies elsewhere.
  private(set) var wanted: Set<LayoutItem.ID> = []

  /// Places every change by `engine`.
  ///
  /// Changes are taken in the order of their times; of several at one time, the last holds. What
  /// is there at `start` or before is there at once, everything later moves by `transition`. A
  /// change that comes while another is still moving begins where that one has come to. Where the
  /// canvas moves over the content, the policy is asked for every frame at `frameRate`.
  ///
  /// - Throws: What a change's policy has against the engine's canvas.
  package init(
    _ changes: [LayoutChange], engine: LayoutEngine, transition: Transition = .standard,
    start: MediaTime = .zero, frameRate: FrameRate = .thirty
  ) throws(LayoutError) {
    (self.transition, self.frameRate) = (transition, frameRate)
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
    wanted.formUnion(engine.missed)
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
    guard moves(in: span, at: time) else { return span.rest }
    guard span.steps.isEmpty else { return span.steps[step(of: span, at: time)] }
    let progress = transition.progress(elapsed: time - span.start)
    return span.motions.map { $0.from.interpolated(to: $0.to, progress: progress) }
      .stablySorted(by: \.zIndex)
  }

  /// Whether something moves at `time`, which is in `span`.
  func moves(in span: Span, at time: MediaTime) -> Bool {
    span.steps.isEmpty
      ? !span.motions.isEmpty && time - span.start < transition.duration
      : step(of: span, at: time) < span.steps.count
  }

  /// The times before `end` at which the item `id` is among the attributes, while it leaves
  /// included, in ascending order; they do not touch.
  package func visibilities(of id: LayoutItem.ID, before end: MediaTime) -> [TimeRange] {
    var times: [TimeRange] = []
    for appearance in appearances[id, default: []] {
      let span = spans[appearance.span]
      guard span.start < end else { break }
      let next =
        appearance.span + 1 < spans.count ? min(spans[appearance.span + 1].start, end) : end
      let steps = stepTimes(of: id, in: span)
      let start = min(steps?.start ?? span.start, next)
      let last =
        appearance.isLeaving ? min(steps?.end ?? span.start + transition.duration, next) : next
      if let before = times.last, before.end >= start {
        times[times.count - 1].end = max(before.end, last)
      } else {
        times.append(TimeRange(start: start, end: last))
      }
    }
    return times
  }

  /// The attributes that the item `id` has while nothing moves, and while it scrolls past.
  package func states(_ id: LayoutItem.ID) -> Set<LayoutAttributes> {
    appearances[id, default: []].reduce(into: resting(id)) { all, appearance in
      all.formUnion(spans[appearance.span].steps.joined().filter { $0.id == id })
    }
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

  /// Whether the item `id` is to be shown but at some time has no place in view: the policy scrolls,
  /// or has few places.
  package func isMissed(_ id: LayoutItem.ID) -> Bool {
    wanted.contains(id) && !strays.contains { $0.items.contains(id) }
  }

  /// Whether the item `id` is to be shown but never is.
  package func isOutOfSight(_ id: LayoutItem.ID) -> Bool {
    isMissed(id) && appearances[id] == nil
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
      if !isOther,
        let steps = steps(from: current, before: before, to: engine, start: change.time)
      {
        append(Span(start: change.time, motions: [], steps: steps, rest: rest))
        return
      }
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
    transition: Transition, frameRate: FrameRate, strays: [Strays], hidden: [Hidden],
    wanted: Set<LayoutItem.ID>
  ) {
    (self.transition, self.frameRate, self.strays) = (transition, frameRate, strays)
    (self.hidden, self.wanted) = (hidden, wanted)
  }

  /// Adds the span that comes next.
  mutating func append(_ span: Span) {
    if let last = spans.indices.last, !spans[last].steps.isEmpty {
      let frames =
        frameRate.firstFrame(at: span.start) - frameRate.firstFrame(at: spans[last].start)
      spans[last].steps.removeLast(max(0, spans[last].steps.count - frames))
    }
    note(span.rest, isLeaving: false)
    note(span.motions.map(\.to) + span.steps.joined(), isLeaving: true)
    spans.append(span)
  }

  /// Notes the people seen in the span that comes next.
  private mutating func note(_ attributes: [LayoutAttributes], isLeaving: Bool) {
    for id in attributes.lazy.map(\.id) where appearances[id]?.last?.span != spans.count {
      appearances[id, default: []].append(Appearance(span: spans.count, isLeaving: isLeaving))
    }
  }
}
