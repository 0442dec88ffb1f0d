import Glibc
import TesseraProof

/// Looks for flashes that can harm people with photosensitive epilepsy (ITU-R BT.1702): pairs of opposing changes of
/// luminance by 20 cd/m² or more, the darker below 160 cd/m², of a quarter of the picture, more than three a second.
struct FlashCheck {
  /// The luminance of each cell where it last turned, and whether it has risen since.
  private var turns: [(level: Double, rises: Bool)] = []
  /// When a quarter of the picture changed, and whether it became lighter; of the last second.
  private var changes: [(time: Double, rises: Bool)] = []
  /// Cells that changed of late, either way.
  private var pending: (lighter: Set<Int>, darker: Set<Int>, since: Double) = ([], [], 0)

  /// The luminance of a display of 200 cd/m² for each code of luma (BT.1886).
  private static let luminance: [Double] = (0...255).map {
    200 * pow(min(1, max(0, (Double($0) - 16) / 219)), 2.4)
  }
  /// Candela a square metre: the least change, and the darker level from which on none counts.
  private static let (change, bright) = (20.0, 160.0)
  /// The part of the cells that have to change, and seconds within which they do.
  private static let (part, together) = (0.25, 0.05)
  /// The most changes in a second that are harmless: three pairs.
  private static let most = 6

  /// Takes the mean luma of the cells of a picture at `time`; returns whether there were too many flashes in the second
  /// before it.
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
