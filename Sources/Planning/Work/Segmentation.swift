import TesseraJobs
import TesseraPlan
import TesseraTimeline

/// Where a timeline is cut: a function of the recording and the output options alone, so that the
/// bytes do not depend on who renders them.
package struct Segmentation: Hashable, Sendable, Codable {
  /// The frames of each segment, from the first frame to the last.
  package var segments: [Range<Int>]

  /// What a track has to decode before it can show something, at any frame.
  package struct Track: Sendable {
    /// The frames in which it is seen.
    package var frames: Range<Int>
    /// What decoding a frame of it costs, against others.
    package var weight: Int
    /// The frame that decoding begins with so that the given one can be shown.
    package var decodingStart: @Sendable (Int) -> Int

    /// A track that is seen in `frames`.
    package init(
      frames: Range<Int>, weight: Int = 1, decodingStart: @escaping @Sendable (Int) -> Int
    ) {
      (self.frames, self.weight, self.decodingStart) = (frames, weight, decodingStart)
    }

    /// The frames that are decoded for nothing where a segment begins at `frame`.
    package func preroll(at frame: Int) -> Int {
      guard frames.contains(frame), frame > frames.lowerBound else { return 0 }
      return max(0, frame - max(frames.lowerBound, decodingStart(frame)))
    }
  }

  /// The usual length of a segment, the shortest and the longest, in groups of pictures.
  private static let (usual, shortest, longest) = (2, 2, 4)

  /// Cuts `frameCount` frames every few times `group` frames, the distance of the output's
  /// keyframes: where the tracks decode little for nothing, every ten to twenty seconds.
  ///
  /// Who begins with a segment renders `lead` frames before it, too. So cuts lie as many frames
  /// after multiples of `group`: recorders like to write keyframes at round times.
  ///
  /// Cutting goes from the beginning on and looks ahead by one segment, so that a recording which
  /// is longer than an earlier one is cut in the same places as far as that went, but for the last
  /// ones. An output that cannot be cut is one segment.
  package init(
    frameCount: Int, group: Int, lead: Int = 0, tracks: [Track], isDivisible: Bool = true
  ) {
    var cuts = [0]
    let group = max(1, group)
    // Where there is no keyframe for long, no cut is better than another: only long runs help.
    let limit = 4 * group
    let total = tracks.reduce(0) { $0 + $1.weight }
    while isDivisible, let last = cuts.last {
      let candidates = (Self.shortest...Self.longest).map { max(last, lead) + $0 * group }
        .filter { frameCount - $0 + lead >= Self.shortest * group }
      guard let cut = Self.cheapest(candidates, last, group, lead, tracks, limit, total)
      else { break }
      cuts.append(cut)
    }
    segments = zip(cuts, cuts.dropFirst() + [frameCount]).map { $0..<$1 }
  }

  private static func cheapest(
    _ cuts: [Int], _ last: Int, _ group: Int, _ lead: Int, _ tracks: [Track], _ limit: Int,
    _ total: Int
  ) -> Int? {
    var best: (cut: Int, price: Int)?
    for cut in cuts {
      let preroll = tracks.reduce(0) { sum, track in
        let frames = track.preroll(at: cut - lead)
        return sum + min(frames, limit) * track.weight
      }
      // A longer segment is worth an eighth of its further frames' decoding.
      let length = (cut - last - usual * group) * total / 8
      if best.map({ preroll + length < $0.price }) ?? true { best = (cut, preroll + length) }
    }
    return best?.cut
  }
}
