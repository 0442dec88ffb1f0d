package import TesseraTimeline

/// The attributes of everyone in each of some frames, which are numbered from 0 on: what these
/// frames see of an ``AttributeTimeline``, and nothing else of it.
///
/// There are no times in it, so that a call which happens later makes the same value.
package struct FrameAttributes: Hashable, Sendable, Codable {
  /// The frames from one change to the next.
  private struct Span: Hashable, Sendable, Codable {
    /// The first frame.
    let frame: Int
    /// How far what moves has come in each frame until it has arrived, 0...1.
    let progress: [Double]
    /// What moves; empty where nothing does in these frames.
    let motions: [AttributeTimeline.Motion]
    /// What is seen when the motion is over; empty where it is not over in these frames.
    let rest: [LayoutAttributes]
  }

  private var spans: [Span] = []

  /// What `timeline` shows in `frames` at `rate`.
  fileprivate init(_ timeline: AttributeTimeline, _ frames: Range<Int>, at rate: FrameRate) {
    let first = timeline.spans.partitioningIndex {
      $0.start > rate.time(ofFrame: frames.lowerBound)
    }
    var index = max(0, first - 1)
    while index < timeline.spans.count {
      let span = timeline.spans[index]
      let start = max(frames.lowerBound, rate.firstFrame(at: span.start))
      guard start < frames.upperBound else { return }
      index += 1
      let end =
        index < timeline.spans.count
        ? min(frames.upperBound, rate.firstFrame(at: timeline.spans[index].start))
        : frames.upperBound
      guard start < end else { continue }
      var progress: [Double] = []
      if !span.motions.isEmpty {
        for frame in start..<end {
          let elapsed = rate.time(ofFrame: frame) - span.start
          guard elapsed < timeline.transition.duration else { break }
          progress.append(timeline.transition.progress(elapsed: elapsed))
        }
      }
      spans.append(
        Span(
          frame: start - frames.lowerBound, progress: progress,
          motions: progress.isEmpty ? [] : span.motions,
          rest: progress.count < end - start ? span.rest : []))
    }
  }

  /// The attributes of all that can be seen in `frame`, farthest back first; nothing before the
  /// first change.
  ///
  /// Outside transitions this allocates nothing and the same array is returned again and again.
  package subscript(frame: Int) -> [LayoutAttributes] {
    let index = spans.partitioningIndex { $0.frame > frame } - 1
    guard index >= 0 else { return [] }
    let span = spans[index]
    guard span.progress.indices.contains(frame - span.frame) else { return span.rest }
    return AttributeTimeline.attributes(
      of: span.motions, progress: span.progress[frame - span.frame])
  }

  /// The items that are seen in any of the frames.
  package var items: Set<LayoutItem.ID> {
    var items: Set<LayoutItem.ID> = []
    for span in spans {
      for motion in span.motions { items.insert(motion.to.id) }
      for attributes in span.rest { items.insert(attributes.id) }
    }
    return items
  }
}

extension AttributeTimeline {
  /// What is seen in `frames` at `rate`, counted from the first of them.
  package func attributes(in frames: Range<Int>, at rate: FrameRate) -> FrameAttributes {
    FrameAttributes(self, frames, at: rate)
  }
}
