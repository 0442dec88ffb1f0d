/// Joins the parts of a mix that a ``SoundCut`` keeps.
///
/// Where a part ends and the next one begins, the sound jumps at the quietest place within a frame,
/// so that nothing beside it moves, and the two are cross-faded for 15 ms: with equal power, or with
/// equal gain where they are alike. The mix is read once, from the beginning to the end, and no more
/// of it is kept than a join needs.
struct Splicer {
  private let cut: SoundCut
  private let joins: [Join]
  /// The part that comes out now.
  private var number = 0
  /// How many samples came out.
  private var position: Int64 = 0
  /// Samples of a join that come out next.
  private var ready: ArraySlice<Float> = []
  /// What was read of the mix and may be needed, and where it begins there.
  private var buffer: [Float] = []
  private var start: Int64 = 0

  /// Half of the length of a cross-fade, in samples.
  private static let half: Int64 = 360
  /// The distance between places that are compared, in samples: a millisecond.
  private static let step: Int64 = 48
  /// Sounds that are alike to this degree are joined with equal gain.
  private static let likeness: Float = 0.5

  /// Where two parts meet: how far from there the sound is decided by the join, and how long half of
  /// its fade is.
  private struct Join {
    let width: Int64
    let half: Int64
  }

  init(_ cut: SoundCut) {
    self.cut = cut
    joins = zip(cut.parts, cut.parts.dropFirst()).map { before, after in
      // Joins at both ends of a short part leave each other room.
      let room = min(Int64(before.mixed.count), Int64(after.mixed.count)) / 2
      let width = min(cut.reach + Self.half, room)
      return Join(width: width, half: min(Self.half, width / 2))
    }
  }

  /// Replaces `block`, interleaved stereo, by the next of what comes out, with silence after the
  /// end; `read` adds the next of the mix to what it is given.
  mutating func next(into block: inout [Float], read: (inout [Float]) -> Void) {
    var filled = 0
    while filled < block.count {
      if ready.isEmpty { refill(atMost: block.count - filled, read) }
      let taken = min(ready.count, block.count - filled)
      block.replaceSubrange(filled..<filled + taken, with: ready.prefix(taken))
      ready.removeFirst(taken)
      filled += taken
    }
  }

  /// Makes some of what comes out next, at most `count` values of it where no join is due.
  private mutating func refill(atMost count: Int, _ read: (inout [Float]) -> Void) {
    guard number < cut.parts.count else {
      ready = Array(repeating: 0, count: count)[...]
      return
    }
    let part = cut.parts[number]
    let join = number < joins.count ? joins[number] : nil
    let end = part.end - (join?.width ?? 0)
    guard position < end else {
      guard let join else {
        number += 1
        return
      }
      ready = joined(join, part, cut.parts[number + 1], read)[...]
      position = part.end + join.width
      number += 1
      return
    }
    let length = min(Int64(count / 2), end - position)
    let first = part.mixed.lowerBound + position - part.first
    ready = samples(first..<first + length, read)[...]
    position += length
  }

  /// What comes out around the join of two parts.
  private mutating func joined(
    _ join: Join, _ before: SoundCut.Part, _ after: SoundCut.Part, _ read: (inout [Float]) -> Void
  ) -> [Float] {
    guard join.width > 0 else { return [] }
    let (end, begin) = (before.mixed.upperBound, after.mixed.lowerBound)
    // A short hole is read for both.
    let keep = begin - join.width
    let old = samples(end - join.width..<end + join.width, keeping: keep, read)
    let new = samples(begin - join.width..<begin + join.width, read)
    guard join.half > 0 else {
      return Array(old.prefix(old.count / 2) + new.suffix(new.count / 2))
    }
    let first = Int(quietest(old, new, join))
    let fade = 2 * Int(join.half)
    let isAlike = likeness(old, new, first..<first + fade) > Self.likeness
    var result = Array(old.prefix(2 * first))
    for index in 0..<fade {
      let time = (Float(index) + 0.5) / Float(fade)
      // It begins and ends with a slope that is heard of neither sound.
      let share = time * time * (3 - 2 * time)
      let (down, up) = isAlike ? (1 - share, share) : ((1 - share).squareRoot(), share.squareRoot())
      for channel in 0..<2 {
        let place = 2 * (first + index) + channel
        result.append(old[place] * down + new[place] * up)
      }
    }
    return result + new.suffix(new.count - result.count)
  }

  /// The sample at which the fade begins where both sounds are quietest in it; of equal ones that
  /// nearest to the middle.
  private func quietest(_ old: [Float], _ new: [Float], _ join: Join) -> Int64 {
    var sums: [Float] = [0]
    sums.reserveCapacity(old.count / 2 + 1)
    var sum: Float = 0
    for index in stride(from: 0, to: old.count, by: 2) {
      sum += old[index] * old[index] + old[index + 1] * old[index + 1]
      sum += new[index] * new[index] + new[index + 1] * new[index + 1]
      sums.append(sum)
    }
    let middle = join.width - join.half
    var best = (place: middle, energy: sums[Int(middle + 2 * join.half)] - sums[Int(middle)])
    for distance in stride(from: Self.step, through: middle, by: Int(Self.step)) {
      for place in [middle - distance, middle + distance] {
        let energy = sums[Int(place + 2 * join.half)] - sums[Int(place)]
        // Differences that nobody hears move nothing.
        if energy < best.energy * 0.9 { best = (place, energy) }
      }
    }
    return best.place
  }

  /// How alike the sounds are, -1...1.
  private func likeness(_ old: [Float], _ new: [Float], _ samples: Range<Int>) -> Float {
    var (both, own, other): (Float, Float, Float) = (0, 0, 0)
    for index in 2 * samples.lowerBound..<2 * samples.upperBound {
      both += old[index] * new[index]
      own += old[index] * old[index]
      other += new[index] * new[index]
    }
    let scale = (own * other).squareRoot()
    return scale > 0 ? both / scale : 0
  }

  /// Samples of the mix, none of which lie before those asked for so far; what lies from `keeping`
  /// on, or after them, stays readable.
  private mutating func samples(
    _ range: Range<Int64>, keeping: Int64? = nil, _ read: (inout [Float]) -> Void
  ) -> [Float] {
    let kept = min(keeping ?? range.upperBound, range.upperBound)
    while start + Int64(buffer.count / 2) < range.upperBound {
      // What lies before is cut.
      let passed = min(Int64(buffer.count / 2), max(0, range.lowerBound - start))
      if passed > 0 {
        buffer.removeFirst(2 * Int(passed))
        start += passed
      }
      read(&buffer)
    }
    let result = Array(
      buffer[2 * Int(range.lowerBound - start)..<2 * Int(range.upperBound - start)])
    let passed = max(0, kept - start)
    buffer.removeFirst(2 * Int(passed))
    start += passed
    return result
  }
}
