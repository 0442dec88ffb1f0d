import TesseraTimeline

/// A moment at which a recording lacks samples: its recorder dropped them and continued without
/// inserting silence.
package struct SampleGap: Hashable, Sendable {
  /// The time in the recording at which samples are missing, in seconds.
  package var time: Double
  /// The duration of the missing samples, in seconds.
  package var seconds: Double
  /// The confidence from 0 to 1: the share of the sound beside the gap that agrees with other
  /// recordings.
  package var confidence: Double

  /// Merges gaps found in two passes. The times of `later` refer to the recording with `gaps`
  /// already filled and are mapped back.
  static func merged(_ gaps: [SampleGap], _ later: [SampleGap]) -> [SampleGap] {
    var result = gaps
    for var gap in later {
      for known in gaps where gap.time > known.time {
        gap.time = max(known.time, gap.time - known.seconds)
      }
      result.append(gap)
    }
    return result.sorted { $0.time < $1.time }
  }
}

extension AlignmentAudio {
  /// Returns a copy with silence inserted at `gaps`, which are in order of time. Their times are
  /// those of this value, without any silence inserted.
  func filling(_ gaps: [SampleGap]) -> AlignmentAudio {
    var filled = AlignmentAudio()
    var first = 0
    for gap in gaps {
      let end = min(count, Int(saturating: gap.time * Double(Self.sampleRate)))
      filled.append(self, first..<max(first, end))
      first = max(first, end)
      filled.appendSilence(Int(saturating: gap.seconds * Double(Self.sampleRate)))
    }
    filled.append(self, first..<count)
    return filled
  }
}
