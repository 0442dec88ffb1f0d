import Glibc

/// A gain over time in decibels, interpolated linearly between points.
///
/// Before the first point and after the last one, the gain is constant; without points it is 0 dB.
/// A gain at or below ``silence`` mutes the sound.
package struct GainCurve: Hashable, Sendable, Codable {
  /// The points in order of their positions.
  package var points: [Point]

  /// A gain at a position.
  package struct Point: Hashable, Sendable, Codable {
    /// The position in samples at ``Soundtrack/sampleRate`` from the curve's origin.
    package var position: Int64
    /// The gain in decibels.
    package var decibels: Float

    /// Creates a point with the gain `decibels` at sample `position`.
    package init(position: Int64, decibels: Float) {
      (self.position, self.decibels) = (position, decibels)
    }
  }

  /// The gain in decibels at or below which sound is muted.
  package static let silence: Float = -96

  /// Creates a curve through `points`, which are in order of their positions.
  package init(_ points: [Point] = []) { self.points = points }

  /// Creates a curve with a constant gain.
  package init(constant decibels: Float) {
    points = [Point(position: 0, decibels: decibels)]
  }

  /// Returns the gain in decibels at `position`. The search starts at point `index`, which is
  /// advanced for the next call.
  func decibels(at position: Int64, from index: inout Int) -> Float {
    guard !points.isEmpty else { return 0 }
    while index + 1 < points.count, points[index + 1].position <= position { index += 1 }
    let point = points[index]
    guard index + 1 < points.count, position > point.position else { return point.decibels }
    let next = points[index + 1]
    let part =
      Float(position - point.position) / Float(max(1, next.position - point.position))
    return point.decibels + part * (next.decibels - point.decibels)
  }

  /// Combines two gains: decibels add up, and silence in either curve remains silence.
  package static func + (first: GainCurve, second: GainCurve) -> GainCurve {
    guard !first.points.isEmpty else { return second }
    guard !second.points.isEmpty else { return first }
    let positions = Set(first.points.map(\.position) + second.points.map(\.position)).sorted()
    var (left, right) = (0, 0)
    return GainCurve(
      positions.map {
        let (one, other) = (
          first.decibels(at: $0, from: &left), second.decibels(at: $0, from: &right)
        )
        let isSilent = one <= silence || other <= silence
        return Point(position: $0, decibels: isSilent ? silence : max(silence, one + other))
      })
  }
}

extension GainCurve {
  /// Applies a gain curve to sound that arrives in order.
  package struct Applier: Sendable {
    private let curve: GainCurve
    /// The position of the curve's origin on the timeline, in samples.
    private let origin: Int64
    /// The curve's point at which the next search starts.
    private var index = 0

    /// The number of samples between exact values of the factor, which is interpolated linearly.
    private static let step = 64

    /// Creates a follower of `curve`, whose origin is at sample `origin` of the timeline.
    package init(_ curve: GainCurve, origin: Int64) { (self.curve, self.origin) = (curve, origin) }

    /// Applies the gain to `block` and adds the result to `mix` from element `first` on.
    ///
    /// `block` is interleaved stereo, and its first frame is at sample `position` of the timeline.
    /// A gain of 0 dB leaves samples bit-exact.
    package mutating func add(
      _ block: [Float], to mix: inout [Float], from first: Int, at position: Int64
    ) {
      let count = block.count / 2
      var gain = factor(at: position)
      var start = 0
      while start < count {
        let length = min(Self.step, count - start)
        let next = factor(at: position + Int64(start + length))
        let slope = (next - gain) / Float(length)
        let target = first + 2 * start
        if gain == 1, next == 1 {
          for index in 0..<2 * length { mix[target + index] += block[2 * start + index] }
        } else if gain != 0 || next != 0 {
          for frame in 0..<length {
            let factor = gain + slope * Float(frame)
            mix[target + 2 * frame] += factor * block[2 * (start + frame)]
            mix[target + 2 * frame + 1] += factor * block[2 * (start + frame) + 1]
          }
        }
        gain = next
        start += length
      }
    }

    /// Returns the gain at sample `position` of the timeline as a linear factor.
    private mutating func factor(at position: Int64) -> Float {
      let decibels = curve.decibels(at: position - origin, from: &index)
      if decibels == 0 { return 1 }
      return decibels <= GainCurve.silence ? 0 : pow(10, decibels / 20)
    }
  }
}
