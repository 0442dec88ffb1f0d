package import TesseraTimeline

/// The layout attributes of all items for each frame of a range, with frames numbered from 0.
///
/// This is the part of a ``LayoutTimeline`` that the range sees. It contains no times, so a
/// call that happens later gives an equal value. Lookup computes nothing.
package struct FrameLayoutAttributes: Hashable, Sendable, Codable {
  /// The attributes of the frames from one layout change to the next.
  private struct Span: Hashable, Sendable, Codable {
    /// The first frame of the span.
    let frame: Int
    /// The attributes of each frame until the motion ends.
    let steps: [[LayoutAttributes]]
    /// The attributes after the motion; empty if the motion does not end within the range.
    let rest: [LayoutAttributes]
  }

  private var spans: [Span] = []

  /// Samples `timeline` for `frames` at `rate`.
  fileprivate init(_ timeline: LayoutTimeline, _ frames: Range<Int>, at rate: FrameRate) {
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

  /// Returns the attributes of all visible items in `frame`, back to front; empty before the first
  /// change. Allocates nothing.
  package subscript(frame: Int) -> [LayoutAttributes] {
    let index = spans.partitioningIndex { $0.frame > frame } - 1
    guard index >= 0 else { return [] }
    let (span, step) = (spans[index], frame - spans[index].frame)
    return step < span.steps.count ? span.steps[step] : span.rest
  }

  /// The identifiers of all items that are visible in at least one frame.
  package var items: Set<LayoutItem.ID> {
    Set(spans.flatMap { $0.rest + $0.steps.joined() }.map(\.id))
  }
}

extension LayoutTimeline {
  /// Returns the attributes for `frames` at `rate`. The result numbers the first of these frames 0.
  package func attributes(in frames: Range<Int>, at rate: FrameRate) -> FrameLayoutAttributes {
    FrameLayoutAttributes(self, frames, at: rate)
  }
}
