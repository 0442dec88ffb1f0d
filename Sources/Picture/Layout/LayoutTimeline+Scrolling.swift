import TesseraTimeline

extension LayoutTimeline {
  /// Returns the attributes of every frame from `start` in which the canvas scrolls over the
  /// content, back to front.
  ///
  /// The scroll goes from `current` to the rest position of `after`. The result is `nil` if the
  /// canvas does not scroll. The policy is asked for every frame. A tile whose current state
  /// differs from the policy's is interpolated toward it.
  func steps(
    from current: [LayoutAttributes], before: LayoutEngine, to after: LayoutEngine,
    start: MediaTime
  ) -> [[LayoutAttributes]]? {
    guard before.contentOffset != .zero || after.contentOffset != .zero,
      let origin = after.origin(of: current),
      // A smaller difference comes from rounding tiles at rest to whole pixels.
      abs(origin.x - after.contentOffset.x) + abs(origin.y - after.contentOffset.y) > 1.01
    else { return nil }
    let seen = Dictionary(current.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    let first = after.states(at: origin)
    let known = Set(before.arrangement.attributes.map(\.key))
    /// For each tile, the state to interpolate from, given its target in a frame; the target itself
    /// if the tile only scrolls.
    let origins = first.map { planned -> (LayoutAttributes) -> LayoutAttributes in
      guard let now = seen[planned.key] else {
        let isThere = known.contains(planned.key) && !after.shows(planned)
        return isThere ? { $0 } : after.policy.initialAttributes(appearingAt:)
      }
      guard now.isAbout(planned) else { return { _ in now } }
      return { target in
        var from = target
        from.alpha = min(1, max(0, target.alpha + now.alpha - planned.alpha))
        from.scale = max(0, target.scale + now.scale - planned.scale)
        return from
      }
    }
    let stays = Set(first.map(\.key))
    let leaving = current.filter { !stays.contains($0.key) }.map {
      Motion(from: $0, to: after.policy.finalAttributes(disappearingFrom: $0))
    }
    var steps: [[LayoutAttributes]] = []
    let frame = frameRate.firstFrame(at: start)
    while case let elapsed = frameRate.time(ofFrame: frame + steps.count) - start,
      elapsed < transition.duration
    {
      let progress = transition.progress(elapsed: elapsed)
      let way = Point(
        x: (after.contentOffset.x - origin.x) * progress,
        y: (after.contentOffset.y - origin.y) * progress)
      let states = after.states(at: Point(x: origin.x + way.x, y: origin.y + way.y))
      let tiles = zip(origins, states).map { $0($1).interpolated(to: $1, progress: progress) }
      let gone = leaving.map { motion in
        var tile = motion.from.interpolated(to: motion.to, progress: progress)
        tile.frame = tile.frame.translated(by: Point(x: -way.x, y: -way.y))
        return tile
      }
      steps.append((gone + tiles).filter(after.shows).stablySorted(by: \.zIndex))
    }
    return steps
  }

  /// Returns the index into the steps of `span` for the frame that is shown at `time`.
  func step(of span: Span, at time: MediaTime) -> Int {
    let next = frameRate.firstFrame(at: time)
    let frame = frameRate.time(ofFrame: next) > time ? next - 1 : next
    return max(0, frame - frameRate.firstFrame(at: span.start))
  }

  /// Returns the time range from the first to the last step of `span` that shows the item `id`;
  /// `nil` if no step does.
  func stepTimes(of id: LayoutItem.ID, in span: Span) -> TimeRange? {
    let numbers = span.steps.indices.filter { span.steps[$0].contains { $0.id == id } }
    guard let first = numbers.first, let last = numbers.last else { return nil }
    let frame = frameRate.firstFrame(at: span.start)
    return TimeRange(
      start: first == 0 ? span.start : frameRate.time(ofFrame: frame + first),
      end: frameRate.time(ofFrame: frame + last + 1))
  }
}

extension LayoutEngine {
  /// Returns the content offset at which the tile of `current` nearest to the canvas's center would
  /// be at its current position; `nil` if none of these tiles is placed.
  fileprivate func origin(of current: [LayoutAttributes]) -> Point? {
    let placed = Dictionary(allAttributes.map { ($0.key, $0.frame) }, uniquingKeysWith: { $1 })
    func distance(_ tile: LayoutAttributes) -> Double {
      abs(tile.frame.midX - canvas.width / 2) + abs(tile.frame.midY - canvas.height / 2)
    }
    let tiles = current.filter { $0.overflowCount == 0 && placed[$0.key] != nil }
    guard let now = tiles.min(by: { distance($0) < distance($1) }), let rest = placed[now.key]
    else { return nil }
    return Point(
      x: contentOffset.x + rest.midX - now.frame.midX,
      y: contentOffset.y + rest.midY - now.frame.midY)
  }
}

extension LayoutAttributes {
  /// True if both frames are equal up to the rounding of a tile at rest.
  fileprivate func isAbout(_ other: LayoutAttributes) -> Bool {
    let (a, b) = (frame, other.frame)
    return max(abs(a.x - b.x), abs(a.y - b.y), abs(a.maxX - b.maxX), abs(a.maxY - b.maxY)) < 0.51
  }
}
