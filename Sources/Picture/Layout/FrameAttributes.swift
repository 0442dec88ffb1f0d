package import TesseraTimeline

/// The attributes of everyone in each of some frames, which are numbered from 0 on: what these
/// frames see of an ``AttributeTimeline``, and nothing else of it.
///
/// There are no times in it, so that a call which happens later makes the same value. All is finished:
/// a frame is looked up.
package struct FrameAttributes: Hashable, Sendable, Codable {
  /// The frames from one change to the next.
  private struct Span: Hashable, Sendable, Codable {
    /// The first frame.
    let frame: Int
    /// What is seen in each frame until what moves has arrived.
    let steps: [[LayoutAttributes]]
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
      let steps = (start..<end).map { rate.time(ofFrame: $0) }
        .prefix { timeline.moves(in: span, at: $0) }.map(timeline.attributes(at:))
      spans.append(
        Span(
          frame: start - frames.lowerBound, steps: steps,
          rest: steps.count < end - start ? span.rest : []))
    }
  }

  /// The attributes of all that can be seen in `frame`, farthest back first; nothing before the
  /// first change. This allocates nothing.
  package subscript(frame: Int) -> [LayoutAttributes] {
    let index = spans.partitioningIndex { $0.frame > frame } - 1
    guard index >= 0 else { return [] }
    let (span, step) = (spans[index], frame - spans[index].frame)
    return step < span.steps.count ? span.steps[step] : span.rest
  }

  /// The items that are seen in any of the frames.
  package var items: Set<LayoutItem.ID> {
    Set(spans.flatMap { $0.rest + $0.steps.joined() }.map(\.id))
  }
}

extension AttributeTimeline {
  /// What is seen in `frames` at `rate`, counted from the first of them.
  package func attributes(in frames: Range<Int>, at rate: FrameRate) -> FrameAttributes {
    FrameAttributes(self, frames, at: rate)
  }
}
