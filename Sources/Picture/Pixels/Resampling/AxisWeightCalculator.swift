/// Computes the integer weights of one result sample, for consecutive source samples from `first`
/// on.
///
/// The steps are ``collect(center:step:filter:sourceCount:)``, then `shorten` if wanted, and
/// `quantize`. The memory is reused for the next result.
struct AxisWeightCalculator {
  /// The first source sample, 0 or more.
  private(set) var first = 0
  /// The integer weights, of which `kept` are valid.
  private var integers: [Int] = []
  private var kept = 0..<0
  /// The exact weights, of which `exactKept` are valid. Index 0 belongs to source sample
  /// `exactFirst`.
  private var exact: [Double] = []
  private var exactKept = 0..<0
  private var exactFirst = 0

  /// The integer weights. The first and last are not 0, and the sum is exact.
  var values: ArraySlice<Int> { integers[kept] }
  /// The number of exact weights.
  var exactCount: Int { exactKept.count }

  /// Computes the exact weights of the result at the source position `center`.
  ///
  /// A sample outside the source has the value of the nearest one inside.
  mutating func collect(center: Double, step: Double, filter: ResampleFilter, sourceCount: Int) {
    let (radius, last) = (filter.radius(step: step), sourceCount - 1)
    let from = -Self.floor(radius + 1e-9 - center)
    let to = max(from, Self.floor(center + radius + 1e-9))
    exactFirst = min(max(0, from), last)
    let end = max(min(max(0, to), last), exactFirst)
    exactKept = 0..<end - exactFirst + 1
    reserve(exactKept.count)
    var sum = 0.0
    for index in exactKept { exact[index] = 0 }
    for sample in from...to {
      let weight = filter.weight(distance: Double(sample) - center, step: step)
      exact[min(max(sample, exactFirst), end) - exactFirst] += weight
      sum += weight
    }
    guard sum > 1e-6 else {
      exactFirst = min(max(0, Int(center.rounded())), last)
      exact[0] = 1
      exactKept = 0..<1
      return
    }
    for index in exactKept { exact[index] /= sum }
  }

  /// Computes the exact weights of the result `result` of `mapping`.
  mutating func collect(_ mapping: AxisMapping, _ result: Int, filter: ResampleFilter) {
    collect(
      center: mapping.origin + mapping.step * Double(result), step: mapping.step, filter: filter,
      sourceCount: mapping.sourceCount)
  }

  private mutating func reserve(_ count: Int) {
    guard exact.count < count else { return }
    exact = Array(repeating: 0, count: count)
    integers = Array(repeating: 0, count: count)
  }

  /// Removes the weights at both ends that are smaller than `least` and adds them to their inner
  /// neighbors.
  mutating func shorten(least: Double) {
    var (start, end) = (exactKept.lowerBound, exactKept.upperBound)
    while end - start > 1, abs(exact[end - 1]) < least {
      exact[end - 2] += exact[end - 1]
      end -= 1
    }
    while end - start > 1, abs(exact[start]) < least {
      exact[start + 1] += exact[start]
      start += 1
    }
    exactKept = start..<end
  }

  /// Scales the exact weights by `one` and rounds them to integers whose sum is `one`.
  ///
  /// The rounding error of every weight is carried towards the greatest weight, from both ends. The
  /// errors thus cancel for all but the highest frequencies, and a symmetric filter stays symmetric.
  mutating func quantize(one: Int) {
    var (peak, limit) = (exactKept.lowerBound, -Double.infinity)
    for index in exactKept where exact[index] > limit {
      (peak, limit) = (index, exact[index] + 1e-9)
    }
    let before = carryOn(from: exactKept.lowerBound, to: peak, by: 1, one: Double(one))
    let after = carryOn(from: exactKept.upperBound - 1, to: peak, by: -1, one: Double(one))
    integers[peak] = one - before - after
    trim()
  }

  /// Rounds the weights from `start` up to the one before the peak, and returns their sum.
  private mutating func carryOn(from start: Int, to peak: Int, by step: Int, one: Double) -> Int {
    var (index, carry, sum) = (start, 0.0, 0)
    while index != peak {
      let wanted = exact[index] * one + carry
      // Adding and subtracting this constant rounds to a whole number; conversions would take
      // longer. Halves are rounded down, however they were computed.
      let nearest = wanted - 1e-7 + 0x1.8p52 - 0x1.8p52
      carry = wanted - nearest
      let rounded = Int(nearest)
      integers[index] = rounded
      sum += rounded
      index += step
    }
    return sum
  }

  private mutating func trim() {
    var (start, end) = (exactKept.lowerBound, exactKept.upperBound)
    while end - start > 1, integers[end - 1] == 0 { end -= 1 }
    while integers[start] == 0 { start += 1 }
    kept = start..<end
    first = exactFirst + start
  }

  /// Limits the sum of weights j and j + 2 to `one`, which the arithmetic of the horizontal kernels
  /// requires. This also bounds every single weight.
  ///
  /// The excess moves to the neighbor between the two, or to the only neighbor at an edge. Filters
  /// exceed the bound by a few hundredths, where they extrapolate.
  mutating func bound(one: Int) {
    var greatest = 0
    for index in kept { greatest = max(greatest, integers[index]) }
    guard 2 * greatest > one else { return }
    for index in kept {
      bound(index, with: index - 2, one: one)
      bound(index, with: index + 2, one: one)
    }
  }

  private mutating func bound(_ index: Int, with other: Int, one: Int) {
    let partner = kept.contains(other) ? integers[other] : 0
    let excess = integers[index] + partner - one
    guard excess > 0, integers[index] >= partner else { return }
    let middle = (index + other) / 2
    let receiver = kept.contains(middle) ? middle : 2 * index - middle
    integers[index] -= excess
    integers[receiver] += excess
  }

  /// Reverses the weights for a source read from its last sample to its first.
  mutating func mirror(sourceCount: Int) {
    integers[kept].reverse()
    first = sourceCount - first - kept.count
  }

  /// Returns the greatest integer not above `value`, without the function call of `rounded`.
  private static func floor(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) > value ? whole - 1 : whole
  }
}
