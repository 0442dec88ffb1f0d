package import TesseraCodecs
package import TesseraLayout
package import TesseraLettering
package import TesseraPixels
import TesseraTimeline

/// Everything that rendering some frames of a plan reads. Its encoding is what a segment's digest
/// covers, so a value that is missing here cannot be drawn.
///
/// Frames count from the first rendered frame. Earlier frames have negative numbers and are
/// included as far back as ``OutputFormat/history``. The value contains no times, so later events
/// of the call never change it.
package struct SegmentInput: Sendable, Encodable {
  /// Number of the first frame on the plan's timeline. Messages name frames by it.
  @ExcludedFromDigest package var origin: Int
  /// Number of frames that are rendered.
  package let count: Int
  /// The output's format, without sound settings, chapters, captions and title.
  package let output: OutputFormat
  /// The slots whose tiles are visible, in the plan's order.
  package let slots: [TileTimeline]
  /// Layout attributes of all tiles for each frame.
  package let scenes: FrameLayoutAttributes
  /// The tracks that the visible slots show.
  package let tracks: [Track]
  /// Cards, plates and badges of the visible tiles, and the background. The drawings are in
  /// ``art``, the overlays in ``overlays``.
  package let look: DigestEncoded<PlanDrawings>
  /// Overlays over the whole canvas, from back to front.
  package let overlays: [Overlay]
  /// The clock on the canvas; nil if the output shows none.
  package let clock: DrawnClock?
  /// All drawings. Other values refer to drawings by content digest.
  @ExcludedFromDigest package var art: DrawingStore

  /// A track, in the frames that show it.
  package struct Track: Sendable, Encodable {
    /// The track's identifier in the plan.
    package let id: TrackID
    /// The frames that show the track. If decoding for them starts at or before an earlier frame
    /// that shows the track, the last such frame is included.
    package let wanted: [Range<Int>]
    /// The track's pictures that fade while other content replaces them.
    package let fadings: [Crossfade]
    /// The assignment of the track's pictures to frames.
    package let route: PictureSchedule
    /// The frame after the track's last picture, clamped to a frame that is too late to matter.
    package let end: Int
    /// The first frame in which the track is given up because it crashed workers; nil if it is not.
    package let lostFrom: Int?
    /// The stream's parameters, as readers open it.
    package let head: PictureSource
    /// The digest of all packets of the track that may be read.
    package let packets: String

    /// The stream from which the track is read.
    package var source: PictureSource { route.source }

    /// Returns the frames of `frames` that show a track which is shown in `wanted`. If decoding for
    /// them starts at or before an earlier frame that shows the track, the last such frame is
    /// included. `decodingStart` returns the frame at which decoding has to start to show a frame.
    package static func seen(
      _ wanted: [Range<Int>], in frames: Range<Int>, decodingStart: (Int) -> Int
    ) -> [Range<Int>] {
      let inside = wanted.intersection([frames])
      guard let first = inside.first?.lowerBound, let last = wanted.last(before: first),
        last >= decodingStart(first)
      else { return inside }
      return ([last..<last + 1] + inside).merged
    }

    /// Returns the frames for which the track is decoded so that all of `ranges` can be drawn,
    /// including the last frame before each fade.
    package func windows(in ranges: [Range<Int>]) -> [Range<Int>] {
      let faded = fadings.filter { fading in ranges.contains { $0.overlaps(fading.frames) } }
      return (wanted.intersection(ranges) + faded.map { $0.last..<($0.last + 1) }).merged
    }

    /// The byte ranges of the track's file that are read, as far as the index tells.
    package var bytes: [Range<Int>] {
      let frames = (wanted + fadings.map { $0.last..<($0.last + 1) }).merged
      return frames.compactMap { route.index.bytes(of: route.packets(toShow: $0)) }.merged
    }
  }

  /// A track's last picture before other content replaces it in a slot. It fades out for some
  /// frames.
  package struct Crossfade: Hashable, Sendable, Encodable {
    /// The last frame that shows the picture at full opacity.
    package let last: Int
    /// The frames in which the picture fades out. The picture does not advance in them.
    package let frames: Range<Int>
  }

  /// An overlay over the whole canvas.
  package struct Overlay: Hashable, Sendable, Encodable {
    /// The color that fills the canvas under the drawings; nil for none.
    package let fill: Color?
    /// The overlay's drawings, from back to front.
    package let groups: [DrawingGroup]
    /// The overlay's opacity over time, 0...256.
    package let shares: ValueTimeline<Int>
  }

  package struct DrawnClock: Hashable, Sendable, Encodable {
    /// The drawings of the clock's digits.
    package let art: ClockDigits
    /// The clock's text over time.
    package let texts: ValueTimeline<String>
  }
}

extension OutputFormat {
  /// Number of frames in which the active speaker's frame fades in or out: 0.2 s, at least 1 frame.
  package var highlightFade: Int {
    max(1, video.frameRate.firstFrame(showing: MediaTime(nanoseconds: 200_000_000)))
  }

  /// Number of frames for which a change still fades: segments depend on changes that far back.
  package var history: Int { max(contentFade, highlightFade) }
}
