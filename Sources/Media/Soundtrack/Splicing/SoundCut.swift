package import TesseraTimeline

/// What of a mix is kept, sample by sample, where frames of a call are cut.
///
/// Each kept part comes out as long as the output's own count of frames says, so that sound and
/// pictures stay together at any rate and after any number of cuts.
package struct SoundCut: Hashable, Sendable, Encodable {
  /// A kept part: where it is in the mix, and where it begins in the output.
  package struct Part: Hashable, Sendable, Encodable {
    /// Its samples in the mix.
    package let mixed: Range<Int64>
    /// The first one in the output.
    package let first: Int64

    /// The one after the last in the output.
    var end: Int64 { first + Int64(mixed.count) }
  }

  /// The parts, in ascending order.
  package let parts: [Part]
  /// How far from a frame's edge the sound may jump, in samples: a frame.
  package let reach: Int64

  /// The samples of a mix that begins with the first frame of `cut`, at `rate`.
  package init(_ cut: FrameCut, at rate: FrameRate) {
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

  /// The number of samples of what comes out.
  package var sampleCount: Int64 { parts.last?.end ?? 0 }
}
