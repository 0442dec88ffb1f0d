import Glibc

/// Detects flashes that can harm people with photosensitive epilepsy (ITU-R BT.1702).
///
/// A flash is a pair of opposing changes of luminance by 20 cd/m² or more, the darker level below
/// 160 cd/m², in a quarter of the picture. More than three flashes per second are harmful.
struct FlashCheck {
  /// For each cell, the luminance at its last turning point, and the direction since then.
  private var turns: [(level: Double, rises: Bool)] = []
  /// The changes of a quarter of the picture in the last second: time and direction.
  private var changes: [(time: Double, rises: Bool)] = []
  /// The cells that changed in the last 0.05 s, by direction, and the start of that interval.
  private var pending: (lighter: Set<Int>, darker: Set<Int>, since: Double) = ([], [], 0)

  /// Display luminance in cd/m² for each luma code, for a display of 200 cd/m² (BT.1886).
  private static let luminance: [Double] = (0...255).map {
    200 * pow(min(1, max(0, (Double($0) - 16) / 219)), 2.4)
  }
  /// Limits in cd/m²: the least change, and the darker level from which on changes are harmless.
  private static let (change, bright) = (20.0, 160.0)
  /// The fraction of cells that have to change, and the seconds within which they do.
  private static let (part, together) = (0.25, 0.05)
  /// The maximum number of harmless changes per second: three pairs.
  private static let most = 6

  /// Takes the mean luma of the cells of the picture at `time`.
  ///
  /// Returns true if there were too many flashes in the second before `time`.
  mutating func see(_ cells: [UInt8], at time: Double) -> Bool {
    if turns.count != cells.count { turns = cells.map { (Self.luminance[Int($0)], true) } }
    if time - pending.since > Self.together { pending = ([], [], time) }
    for (cell, code) in cells.enumerated() {
      let level = Self.luminance[Int(code)]
      let (last, rises) = turns[cell]
      if rises ? level >= last : level <= last {
        turns[cell].level = level
      } else if abs(level - last) >= Self.change, min(level, last) < Self.bright {
        turns[cell] = (level, !rises)
        if rises { pending.darker.insert(cell) } else { pending.lighter.insert(cell) }
      }
    }
    let enough = Int((Double(cells.count) * Self.part).rounded(.up))
    for (found, rises) in [(pending.lighter, true), (pending.darker, false)]
    where found.count >= enough && changes.last?.rises != rises {
      changes.append((time, rises))
      pending = ([], [], time)
    }
    changes.removeAll { time - $0.time > 1 }
    return changes.count > Self.most
  }
}
