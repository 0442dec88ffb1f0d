import Glibc

/// How loud something is over time: decibels, straight from point to point.
///
/// Before the first point and after the last one the gain is theirs; without points it is 0 dB.
/// At ``silence`` and below nothing is heard at all.
package struct GainCurve: Hashable, Sendable, Codable {
  /// The points in order of their times.
  package var points: [Point]

  /// The gain at a time.
  package struct Point: Hashable, Sendable, Codable {
    /// Samples at ``Soundtrack/sampleRate`` from the origin of the curve.
    package var position: Int64
    /// The gain there.
    package var decibels: Float

    /// `decibels` at sample `position`.
    package init(position: Int64, decibels: Float) {
      (self.position, self.decibels) = (position, decibels)
    }
  }

  /// What counts as silence.
  package static let silence: Float = -96

  /// The curve through `points`, given in order of their times.
  package init(_ points: [Point] = []) { self.points = points }

  /// The same gain at all times.
  package init(constant decibels: Float) {
    points = [Point(position: 0, decibels: decibels)]
  }

  /// The gain at sample `position`.
  package func decibels(at position: Int64) -> Float {
    var index = 0
    return decibels(at: position, from: &index)
  }

  /// The gain at `position`, looked for from point `index` on, which is moved there.
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

  /// The two gains one after the other: their decibels added; silence stays silence.
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

  /// The curve moved by that many samples.
  package func moved(by distance: Int64) -> GainCurve {
    GainCurve(
      points.map { Point(position: $0.position + distance, decibels: $0.decibels) })
  }
}

extension GainCurve {
  /// Applies a curve to sound that comes in order.
  package struct Follower: Sendable {
    private let curve: GainCurve
    private let origin: Int64
    private var index = 0

    /// The factor is exact at every few samples and straight between them.
    private static let step = 64

    /// A follower of `curve`, whose origin lies at sample `origin` of the timeline.
    package init(_ curve: GainCurve, origin: Int64) { (self.curve, self.origin) = (curve, origin) }

    /// Adds `block`, interleaved stereo whose first frame lies at sample `position`, to `mix` from
    /// element `first` on. At 0 dB samples stay as they are.
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

    private mutating func factor(at position: Int64) -> Float {
      let decibels = curve.decibels(at: position - origin, from: &index)
      if decibels == 0 { return 1 }
      return decibels <= GainCurve.silence ? 0 : pow(10, decibels / 20)
    }
  }
}
