/// Joins the parts of a mix that a ``SampleSelection`` keeps.
///
/// At a join, the splice is at the quietest place within a frame, and sound beside the splice does
/// not move. The parts are crossfaded for 15 ms: with equal power, or with equal gain if they are
/// alike. The mix is read once from beginning to end, and only as much of it is buffered as a join
/// needs.
struct Splicer {
  private let cut: SampleSelection
  private let joins: [JoinDimensions]
  /// The index of the part that is being output.
  private var number = 0
  /// The number of samples output so far.
  private var position: Int64 = 0
  /// The interleaved samples that are output next.
  private var ready: ArraySlice<Float> = []
  /// The interleaved samples of the mix that are still needed.
  private var buffer: [Float] = []
  /// The position in the mix of the first sample in `buffer`.
  private var start: Int64 = 0

  /// Half of the length of a crossfade, in samples.
  private static let half: Int64 = 360
  /// The distance between compared places, in samples: 1 ms.
  private static let step: Int64 = 48
  /// The correlation from which two sounds are crossfaded with equal gain.
  private static let likeness: Float = 0.5

  /// The dimensions of a join in samples: the distance from the cut within which the join
  /// determines the sound, and half of the crossfade.
  private struct JoinDimensions {
    let width: Int64
    let half: Int64
  }

  init(_ cut: SampleSelection) {
    self.cut = cut
    joins = zip(cut.parts, cut.parts.dropFirst()).map { before, after in
      // Joins at both ends of a short part leave each other room.
      let room = min(Int64(before.mixed.count), Int64(after.mixed.count)) / 2
      let width = min(cut.reach + Self.half, room)
      return JoinDimensions(width: width, half: min(Self.half, width / 2))
    }
  }

  /// Replaces `block`, interleaved stereo, by the next output samples, with silence after the end.
  /// `read` appends the next samples of the mix to its argument.
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

  /// Fills ``ready`` with the next output: a whole join, or at most `count` values between joins.
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

  /// Returns the output around the join of two parts.
  private mutating func joined(
    _ join: JoinDimensions, _ before: SampleSelection.Part, _ after: SampleSelection.Part,
    _ read: (inout [Float]) -> Void
  ) -> [Float] {
    guard join.width > 0 else { return [] }
    let (end, begin) = (before.mixed.upperBound, after.mixed.lowerBound)
    // A short hole is read for both parts.
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
      // The fade begins and ends with a slope of zero, so that its edges are inaudible.
      let share = time * time * (3 - 2 * time)
      let (down, up) = isAlike ? (1 - share, share) : ((1 - share).squareRoot(), share.squareRoot())
      for channel in 0..<2 {
        let place = 2 * (first + index) + channel
        result.append(old[place] * down + new[place] * up)
      }
    }
    return result + new.suffix(new.count - result.count)
  }

  /// Returns the start of the fade with the least energy of both sounds. Of equal ones, the one
  /// nearest to the middle wins.
  private func quietest(_ old: [Float], _ new: [Float], _ join: JoinDimensions) -> Int64 {
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
        // Inaudible differences do not move the fade.
        if energy < best.energy * 0.9 { best = (place, energy) }
      }
    }
    return best.place
  }

  /// Returns the correlation of both sounds in `samples`, from -1 to 1.
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

  /// Returns samples of the mix; `range` must not begin before the samples already released.
  ///
  /// Samples from `keeping` on, or after `range` if `nil`, stay readable.
  private mutating func samples(
    _ range: Range<Int64>, keeping: Int64? = nil, _ read: (inout [Float]) -> Void
  ) -> [Float] {
    let kept = min(keeping ?? range.upperBound, range.upperBound)
    while start + Int64(buffer.count / 2) < range.upperBound {
      // Samples before `range` are cut.
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
