package import TesseraTimeline

/// A point in time at which the items to place, or the policy that places them, change.
package struct LayoutChange: Sendable {
  package var time: MediaTime
  /// The items to place from ``time`` on, in join order.
  package var items: [LayoutItem]
  /// The policy from ``time`` on; `nil` keeps the previous policy.
  package var policy: (any LayoutPolicy)?

  /// Creates the change to `items` at `time`, and to `policy` if it is not `nil`.
  package init(time: MediaTime, items: [LayoutItem], policy: (any LayoutPolicy)? = nil) {
    self.time = time
    self.items = items
    self.policy = policy
  }
}

/// The layout attributes of all items at any time of a recording, transitions included.
///
/// All placement happens in the initializer. A query only looks up and, within a transition that
/// does not scroll, interpolates. Any frame can therefore be computed alone, also the first frame
/// of a range that starts inside a transition.
package struct LayoutTimeline: Hashable, Sendable {
  /// The motions and attributes from one change to the next.
  struct Span: Hashable, Sendable {
    let start: MediaTime
    /// The motions, leaving items included, back to front; empty if nothing moves or the content
    /// scrolls.
    let motions: [Motion]
    /// The attributes of each frame while the canvas scrolls over the content, back to front.
    var steps: [[LayoutAttributes]] = []
    /// The attributes after the motion, back to front.
    let rest: [LayoutAttributes]
  }

  struct Motion: Hashable, Sendable, Codable {
    let from: LayoutAttributes
    let to: LayoutAttributes

    /// The sum of the displacements of all four edges, in pixels.
    var distance: Double {
      let (a, b) = (from.displayFrame, to.displayFrame)
      return abs(a.x - b.x) + abs(a.y - b.y) + abs(a.maxX - b.maxX) + abs(a.maxY - b.maxY)
    }
  }

  /// The items that are outside the canvas from a time on (``LayoutEngine/offCanvasItems``).
  struct OffCanvasItems: Hashable, Sendable, Codable {
    let start: MediaTime
    let items: Set<LayoutItem.ID>
  }

  /// The items that have no tile of their own from a time on.
  package struct HiddenItems: Hashable, Sendable, Codable {
    /// The time from which the list applies.
    package let start: MediaTime
    /// The items without a tile, in join order.
    package let items: [LayoutItem.ID]
  }

  /// A span in which an item is visible; `isLeaving` if only until its exit motion ends.
  private struct VisibilitySpan: Hashable, Sendable {
    let span: Int
    let isLeaving: Bool
  }

  /// The duration and curve of every change.
  package let transition: LayoutTransition
  /// The frame rate at which ``Span/steps`` are planned.
  let frameRate: FrameRate
  private(set) var spans: [Span] = []
  /// The spans in which each visible item appears, in ascending order.
  private var appearances: [LayoutItem.ID: [VisibilitySpan]] = [:]
  private(set) var offCanvasItems: [OffCanvasItems] = []
  /// The times at which the visible items or their places change, in ascending order. The first is
  /// the start.
  package var changeTimes: [MediaTime] { spans.map(\.start) }
  /// The items without a tile of their own, over time.
  package private(set) var hidden: [HiddenItems] = []
  /// The items that should be shown (``LayoutPolicy/applies(to:)``) but at some time are not,
  /// because the policy has no place for them or the canvas is scrolled away.
  private(set) var wanted: Set<LayoutItem.ID> = []

  /// Places every change by `engine`.
  ///
  /// Changes are applied in the order of their times; of several at one time, the last one wins.
  /// Items placed at or before `start` appear at once; later changes move by `transition`. A change
  /// during another motion starts from the current state of that motion. If the canvas scrolls, the
  /// policy is asked for every frame at `frameRate`.
  ///
  /// - Throws: A ``LayoutError`` if the policy of a change rejects the engine's canvas.
  package init(
    _ changes: [LayoutChange], engine: LayoutEngine, transition: LayoutTransition = .standard,
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
      // An item that waits for a seat may get it between two changes.
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
      hidden.append(HiddenItems(start: change.time, items: engine.unplaced))
    }
    if engine.offCanvasItems != offCanvasItems.last?.items ?? [] {
      offCanvasItems.append(OffCanvasItems(start: change.time, items: engine.offCanvasItems))
    }
  }

  /// Returns the attributes of all visible items at `time`, back to front; empty before the first
  /// change.
  ///
  /// Outside transitions this allocates nothing and returns the same array again.
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

  /// True if a motion or a scroll runs at `time`, which must be in `span`.
  func moves(in span: Span, at time: MediaTime) -> Bool {
    span.steps.isEmpty
      ? !span.motions.isEmpty && time - span.start < transition.duration
      : step(of: span, at: time) < span.steps.count
  }

  /// Returns the times before `end` at which the item `id` is visible, exit motions included. The
  /// ranges are ascending and do not touch.
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

  /// Returns all attributes that the item `id` has at rest and in scroll steps.
  package func states(_ id: LayoutItem.ID) -> Set<LayoutAttributes> {
    appearances[id, default: []].reduce(into: resting(id)) { all, appearance in
      all.formUnion(spans[appearance.span].steps.joined().filter { $0.id == id })
    }
  }

  /// Returns all attributes that the item `id` has at rest.
  package func resting(_ id: LayoutItem.ID) -> Set<LayoutAttributes> {
    var all: Set<LayoutAttributes> = []
    for appearance in appearances[id, default: []] where !appearance.isLeaving {
      all.formUnion(spans[appearance.span].rest.filter { $0.id == id })
    }
    return all
  }

  /// Returns the times before `end` in which the item `id` is present but its tile is outside the
  /// canvas (``LayoutEngine/offCanvasItems``).
  package func offCanvasTimes(of id: LayoutItem.ID, before end: MediaTime) -> [TimeRange] {
    var times: [TimeRange] = []
    for (index, change) in offCanvasItems.enumerated() where change.start < end {
      guard change.items.contains(id) else { continue }
      let next = index + 1 < offCanvasItems.count ? min(offCanvasItems[index + 1].start, end) : end
      if times.last?.end == change.start {
        times[times.count - 1].end = next
      } else {
        times.append(TimeRange(start: change.start, end: next))
      }
    }
    return times
  }

  /// True if the item `id` should be shown but at some time has no place in view, because the
  /// policy scrolls or has few places.
  package func isMissed(_ id: LayoutItem.ID) -> Bool {
    wanted.contains(id) && !offCanvasItems.contains { $0.items.contains(id) }
  }

  /// True if the item `id` should be shown but never is.
  package func isOutOfSight(_ id: LayoutItem.ID) -> Bool {
    isMissed(id) && appearances[id] == nil
  }

  /// Places `change` and appends the resulting span; `isOther` is true if the policy has changed.
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
      // A motion that is still running continues; only tiles at rest dissolve.
      let places = Set(before.attributes.map(\.frame))
      let isStill = current.allSatisfy { places.contains($0.frame) }
      motions =
        !isOther && isStill && engine.dissolves(from: before)
        ? Self.dissolving(from: current, to: rest)
        : Self.motions(from: current, before: before, to: engine)
    }
    append(Span(start: change.time, motions: motions, rest: rest))
  }

  /// Creates a timeline without spans, for decoding.
  init(
    transition: LayoutTransition, frameRate: FrameRate, offCanvasItems: [OffCanvasItems],
    hidden: [HiddenItems],
    wanted: Set<LayoutItem.ID>
  ) {
    (self.transition, self.frameRate, self.offCanvasItems) = (transition, frameRate, offCanvasItems)
    (self.hidden, self.wanted) = (hidden, wanted)
  }

  /// Appends the next span and cuts the scroll steps of the previous one at its start.
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

  /// Records the span that is about to be appended for every item in `attributes`.
  private mutating func note(_ attributes: [LayoutAttributes], isLeaving: Bool) {
    for id in attributes.lazy.map(\.id) where appearances[id]?.last?.span != spans.count {
      appearances[id, default: []].append(VisibilitySpan(span: spans.count, isLeaving: isLeaving))
    }
  }
}
