package import TesseraTimeline

/// The samples of a mix that are kept if frames of a call are cut.
///
/// Each kept part has the length that its number of output frames has. So sound and pictures stay
/// in sync at any frame rate and after any number of cuts.
package struct SampleSelection: Hashable, Sendable, Encodable {
  /// A kept part of the mix and its place in the output.
  package struct Part: Hashable, Sendable, Encodable {
    /// The part's samples in the mix.
    package let mixed: Range<Int64>
    /// The part's first sample in the output.
    package let first: Int64

    /// The sample after the part's last one in the output.
    var end: Int64 { first + Int64(mixed.count) }
  }

  /// The parts, in ascending order.
  package let parts: [Part]
  /// The largest distance of a splice from a frame's edge, in samples: the length of a frame.
  package let reach: Int64

  /// Converts `cut` at frame rate `rate` to samples of a mix that begins with the first frame of
  /// `cut`.
  package init(_ cut: FrameSelection, at rate: FrameRate) {
    let sample = { (frame: Int) in
      rate.sample(ofFrame: frame, sampleRate: Soundtrack.sampleRate)
    }
    parts = cut.ranges.map { range in
      let first = cut.output(from: range.lowerBound)
      let start = sample(range.lowerBound - cut.lowerBound)
      let (begin, end) = (sample(first), sample(first + range.count))
      return Part(mixed: start..<start + (end - begin), first: begin)
    }
    reach = sample(1)
  }

  /// The number of samples in the output.
  package var sampleCount: Int64 { parts.last?.end ?? 0 }
}
