extension LayoutTimeline {
  /// Returns the motions from `current`, a state on the way to `before`, to the arrangement of
  /// `after`, back to front.
  ///
  /// Leaving items are farthest back. In front of them are items that appear large, then items that
  /// stay, the longest motion farthest back, then newcomers. An item that takes the large place of
  /// a leaving item dissolves in over it.
  static func motions(
    from current: [LayoutAttributes], before: LayoutEngine, to after: LayoutEngine
  ) -> [Motion] {
    let byKey = { (attributes: [LayoutAttributes]) in
      Dictionary(attributes.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }
    let (seen, unseen) = (byKey(current), byKey(before.allAttributes))
    let targets = byKey(after.allAttributes)
    let stays = Set(after.attributes.map(\.key))
    let left = current.filter { !stays.contains($0.key) }
    let heir =
      after.policy.dissolves && left.contains { $0.isLarge }
      ? after.attributes.first { $0.isLarge && seen[$0.key].map { !$0.isLarge } ?? false } : nil
    var leaving = left.map { item in
      if item.isLarge, let heir {
        return Motion(from: item, to: heir.covers(item) ? item : item.faded(scale: 1))
      }
      return Motion(
        from: item,
        to: targets[item.key]
          ?? (item.isLeft
            ? item.faded(scale: 1)
            : after.policy.finalAttributes(disappearingFrom: unseen[item.key] ?? item)))
    }
    if let heir, var place = seen[heir.key] {
      place.instance = (current.lazy.filter { $0.id == heir.id }.map(\.instance).min() ?? 0) - 1
      leaving.append(Motion(from: place, to: place.faded(scale: 1)))
    }
    var (large, staying, appearing) = ([Motion](), [Motion](), [Motion]())
    for target in after.attributes {
      if target.key == heir?.key {
        large.append(Motion(from: target.faded(scale: 1), to: target))
      } else if let from = seen[target.key] ?? unseen[target.key] {
        staying.append(Motion(from: from, to: target))
      } else {
        let from = after.policy.initialAttributes(appearingAt: target)
        if target.isLarge {
          large.append(Motion(from: from, to: target))
        } else {
          appearing.append(Motion(from: from, to: target))
        }
      }
    }
    return leaving + large + staying.stablySorted { -$0.distance } + appearing
  }

  /// Returns motions that exchange the items' places from `current` to `rest` by dissolving instead
  /// of moving.
  ///
  /// An item with a new place fades in there over the tile that had the place, and stays visible in
  /// its old place until that is covered. A tile that nothing covers fades out.
  static func dissolving(
    from current: [LayoutAttributes], to rest: [LayoutAttributes]
  ) -> [Motion] {
    let seen = Dictionary(current.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    var (staying, arriving) = ([Motion](), [Motion]())
    for target in rest {
      if let from = seen[target.key], from.frame == target.frame {
        staying.append(Motion(from: from, to: target))
      } else {
        arriving.append(Motion(from: target.faded(scale: 1), to: target))
      }
    }
    let kept = Set(staying.map(\.to.key))
    var numbers: [LayoutItem.ID: Int] = [:]
    let leaving = current.filter { !kept.contains($0.key) }.map { item in
      var left = item
      left.instance = numbers[item.id, default: 0] - 1
      numbers[item.id] = left.instance
      let isCovered = rest.contains { $0.covers(left) }
      return Motion(from: left, to: isCovered ? left : left.faded(scale: 1))
    }
    return leaving + staying + arriving
  }
}

extension LayoutAttributes {
  fileprivate var isLarge: Bool { traits.contains(.large) }

  /// True if the attributes are a copy at a place that the item has left.
  fileprivate var isLeft: Bool { instance < 0 }

  /// True if this tile hides `other` completely.
  fileprivate func covers(_ other: LayoutAttributes) -> Bool {
    alpha == 1 && zIndex >= other.zIndex && displayFrame.contains(other.displayFrame)
      && (aspectRatio == nil || coverage == 1)
  }
}
