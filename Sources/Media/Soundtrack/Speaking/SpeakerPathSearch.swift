/// The best path through all voices by dynamic programming.
enum SpeakerPathSearch {
  /// The number of steps that are taken together: 40 ms.
  private static let group = 2
  /// The cost of a change of speakers, in groups of speech: 0.4 s.
  private static let changeCost: Float = 10

  /// Finds the turns: the voices and the steps at which their turns begin, in order. A turn has at
  /// least `shortestStay` steps. Empty if nobody speaks.
  static func best(
    _ levels: SpeakerLevels, shortestStay: Int
  ) -> [(voice: Int, start: Int)] {
    let voices = levels.speech.count
    let steps = levels.speech.first?.count ?? 0
    let count = steps / group
    guard voices > 0, count > 0, levels.speech.contains(where: { $0.contains(true) })
    else { return [] }
    let stay = min(count, max(1, shortestStay / group))
    // Rings of the last `stay` groups: the best sum of a path that ends with each voice.
    var sums = [[Float]](
      repeating: Array(repeating: 0, count: voices), count: stay + 1)
    var earned = sums
    var from = [Int16](repeating: -1, count: count * voices)
    for index in 0..<count {
      let (row, last) = ((index + 1) % (stay + 1), index % (stay + 1))
      // The entry from `stay` groups ago is read before it is overwritten.
      let (old, oldEarned) = (sums[row], earned[row])
      let isEarly = index <= stay
      let leader = old.indices.max { old[$0] < old[$1] } ?? 0
      for voice in 0..<voices {
        let points = points(levels, voice, index)
        let total = earned[last][voice] + points
        var sum = sums[last][voice] + points
        if !isEarly, leader != voice {
          let changed = old[leader] + total - oldEarned[voice] - changeCost
          if changed > sum {
            sum = changed
            from[index * voices + voice] = Int16(leader)
          }
        }
        sums[row][voice] = sum
        earned[row][voice] = total
      }
    }
    let end = sums[count % (stay + 1)]
    return traced(from, voices, count, stay, last: end.indices.max { end[$0] < end[$1] } ?? 0)
  }

  /// Follows the best path back from its last voice.
  private static func traced(
    _ from: [Int16], _ voices: Int, _ count: Int, _ stay: Int, last: Int
  ) -> [(voice: Int, start: Int)] {
    var path: [(voice: Int, start: Int)] = []
    var (voice, index) = (last, count - 1)
    while index >= 0 {
      let before = from[index * voices + voice]
      guard before >= 0 else {
        index -= 1
        continue
      }
      index -= stay + 1
      path.append((voice, (index + 1) * group))
      voice = Int(before)
    }
    path.append((voice, 0))
    return path.reversed()
  }

  /// Returns the score of a voice in a group: higher if it is the loudest of several.
  private static func points(_ levels: SpeakerLevels, _ voice: Int, _ index: Int) -> Float {
    var points: Float = 0
    for step in index * group..<(index + 1) * group where levels.speech[voice][step] {
      let own = levels.levels[voice][step]
      let isLouder = levels.speech.indices.contains { other in
        other != voice && levels.speech[other][step] && levels.levels[other][step] > own
      }
      points += isLouder ? 0.3 : 0.5
    }
    return points
  }
}
