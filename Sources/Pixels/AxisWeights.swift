/// The integer weights of one result sample: consecutive source samples from `first` on.
struct AxisWeights {
  /// The first source sample, 0 or more.
  private(set) var first = 0
  /// The weights; the first and last are not 0, and the sum is exact.
  private(set) var values: [Int] = []
  private var exact: [Double] = []

  /// Computes the weights of the result at `center`, in units of which `one` make 1.
  ///
  /// Samples outside the source are taken for the nearest one inside. Weights at the ends whose
  /// magnitude is below `least` go to their inner neighbours, and the rounding error of every weight
  /// is carried on towards the greatest weight, from both ends: so what is lost cancels for all but
  /// the highest frequencies, and a symmetric filter stays symmetric.
  mutating func compute(
    center: Double, step: Double, filter: ResampleFilter, sourceCount: Int, one: Int,
    least: Double = 0
  ) {
    collect(center: center, step: step, filter: filter, last: sourceCount - 1)
    shorten(least: least)
    quantize(one: one)
    trim()
  }

  private mutating func collect(center: Double, step: Double, filter: ResampleFilter, last: Int) {
    let radius = filter.radius(step: step)
    let from = Int((center - radius - 1e-9).rounded(.up))
    let to = max(from, Int((center + radius + 1e-9).rounded(.down)))
    let nearest = min(max(0, Int(center.rounded())), last)
    first = min(max(0, from), last)
    let end = max(min(max(0, to), last), first)
    exact.removeAll(keepingCapacity: true)
    exact.append(contentsOf: repeatElement(0, count: end - first + 1))
    var sum = 0.0
    for sample in from...to {
      let weight = filter.weight(distance: Double(sample) - center, step: step)
      exact[min(max(sample, first), end) - first] += weight
      sum += weight
    }
    guard sum > 1e-6 else {
      first = nearest
      exact = [1]
      return
    }
    for index in exact.indices { exact[index] /= sum }
  }

  private mutating func shorten(least: Double) {
    while exact.count > 1, abs(exact[exact.count - 1]) < least {
      let weight = exact.removeLast()
      exact[exact.count - 1] += weight
    }
    while exact.count > 1, abs(exact[0]) < least {
      let weight = exact.removeFirst()
      exact[0] += weight
      first += 1
    }
  }

  private mutating func quantize(one: Int) {
    values.removeAll(keepingCapacity: true)
    values.append(contentsOf: repeatElement(0, count: exact.count))
    var peak = 0
    for index in exact.indices where exact[index] > exact[peak] + 1e-9 { peak = index }
    var sum = 0
    func carryOn(_ indices: some Sequence<Int>) {
      var carry = 0.0
      for index in indices {
        let wanted = exact[index] * Double(one) + carry
        let rounded = (wanted + 0.5 - 1e-7).rounded(.down)
        carry = wanted - rounded
        values[index] = Int(rounded)
        sum += values[index]
      }
    }
    carryOn(0..<peak)
    carryOn(stride(from: exact.count - 1, to: peak, by: -1))
    values[peak] = one - sum
  }

  private mutating func trim() {
    while values.count > 1, values.last == 0 { values.removeLast() }
    let zeros = values.prefix { $0 == 0 }.count
    values.removeFirst(zeros)
    first += zeros
  }
}
