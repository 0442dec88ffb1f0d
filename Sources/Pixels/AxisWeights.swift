/// The integer weights of one result sample: consecutive source samples from `first` on.
///
/// They are computed in steps, ``collect(center:step:filter:sourceCount:)``, `shorten` if wanted, and
/// `quantize`; all arrays are used again for the next result.
struct AxisWeights {
  /// The first source sample, 0 or more.
  private(set) var first = 0
  /// The weights; the first and last are not 0, and the sum is exact.
  private(set) var values: [Int] = []
  private var exact: [Double] = []
  /// The source sample of the first exact weight.
  private var exactFirst = 0

  /// Finds the exact weights of the result at `center`.
  ///
  /// Samples outside the source are taken for the nearest one inside.
  mutating func collect(center: Double, step: Double, filter: ResampleFilter, sourceCount: Int) {
    let (radius, last) = (filter.radius(step: step), sourceCount - 1)
    let from = -Self.floor(radius + 1e-9 - center)
    let to = max(from, Self.floor(center + radius + 1e-9))
    exactFirst = min(max(0, from), last)
    let end = max(min(max(0, to), last), exactFirst)
    exact.removeAll(keepingCapacity: true)
    for _ in exactFirst...end { exact.append(0) }
    var sum = 0.0
    for sample in from...to {
      let weight = filter.weight(distance: Double(sample) - center, step: step)
      exact[min(max(sample, exactFirst), end) - exactFirst] += weight
      sum += weight
    }
    guard sum > 1e-6 else {
      exactFirst = min(max(0, Int(center.rounded())), last)
      exact = [1]
      return
    }
    for index in exact.indices { exact[index] /= sum }
  }

  /// Gives up the weights at the ends whose magnitude is below `least`: they go to their inner
  /// neighbours.
  mutating func shorten(least: Double) {
    while exact.count > 1, abs(exact[exact.count - 1]) < least {
      let weight = exact.removeLast()
      exact[exact.count - 1] += weight
    }
    while exact.count > 1, abs(exact[0]) < least {
      let weight = exact.removeFirst()
      exact[0] += weight
      exactFirst += 1
    }
  }

  /// Makes integers of the exact weights, in units of which `one` make 1.
  ///
  /// The rounding error of every weight is carried on towards the greatest weight, from both ends:
  /// so what is lost cancels for all but the highest frequencies, and a symmetric filter stays
  /// symmetric.
  mutating func quantize(one: Int) {
    values.removeAll(keepingCapacity: true)
    var peak = 0
    for index in exact.indices {
      values.append(0)
      if exact[index] > exact[peak] + 1e-9 { peak = index }
    }
    let before = carryOn(from: 0, to: peak, by: 1, one: Double(one))
    let behind = carryOn(from: exact.count - 1, to: peak, by: -1, one: Double(one))
    values[peak] = one - before - behind
    trim()
  }

  /// Rounds the weights from `start` to the one before the peak, and returns their sum.
  private mutating func carryOn(from start: Int, to peak: Int, by step: Int, one: Double) -> Int {
    var (index, carry, sum) = (start, 0.0, 0)
    while index != peak {
      let wanted = exact[index] * one + carry
      let rounded = Self.floor(wanted + 0.5 - 1e-7)
      carry = wanted - Double(rounded)
      values[index] = rounded
      sum += rounded
      index += step
    }
    return sum
  }

  private mutating func trim() {
    while values.count > 1, values[values.count - 1] == 0 { values.removeLast() }
    var zeros = 0
    while values[zeros] == 0 { zeros += 1 }
    if zeros > 0 { values.removeFirst(zeros) }
    first = exactFirst + zeros
  }

  /// The greatest integer that is not above `value`; without the call that `rounded` is.
  private static func floor(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) > value ? whole - 1 : whole
  }
}
