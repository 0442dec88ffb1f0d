package import TesseraCodecs
package import TesseraLayout
package import TesseraLettering
package import TesseraPixels
import TesseraTimeline

/// Everything that rendering some frames of a plan reads: what is not in it cannot be drawn, and
/// what is encoded of it is what a segment's digest covers.
///
/// Frames are numbered from the first one on; what came before has negative numbers, and is there
/// as far back as ``OutputFormat/history`` says. There are no times, so what happens later in a
/// call makes the same value.
package struct SegmentInput: Sendable, Encodable {
  /// The number of the first frame on the plan's timeline, by which messages name frames.
  @Uncovered package var origin: Int
  /// How many frames there are.
  package let count: Int
  /// What is made of them; without sound, chapters, captions and title.
  package let output: OutputFormat
  /// What tiles show, for those that are seen, in the plan's order.
  package let slots: [Slot]
  /// Where they are.
  package let scenes: FrameAttributes
  /// The tracks that they show.
  package let tracks: [Track]
  /// How cards, plates and signs look that are seen, and the background. Its drawings are in
  /// ``art``, its overlays in ``overlays``.
  package let look: Digested<Look>
  /// What lies on the whole canvas, each above the one before.
  package let overlays: [Overlay]
  /// A running clock.
  package let clock: Clock?
  /// The drawings. All others name them by their content.
  @Uncovered package var art: ArtStore

  /// A track in the frames in which it is seen.
  package struct Track: Sendable, Encodable {
    /// Which one of the plan's it is.
    package let id: TrackID
    /// The frames in which it is seen, and the last one before in which it is, if what is decoded
    /// for these was decoded for that, too.
    package let wanted: [Range<Int>]
    /// The pictures that other frames need while these fade away.
    package let fadings: [Fading]
    /// Which picture each frame shows.
    package let route: PictureRoute
    /// The frame after the last picture, or one so far from these frames that it does not matter.
    package let end: Int
    /// The frame from which it is lost, because it brought workers down.
    package let lostFrom: Int?
    /// How readers see its stream.
    package let head: PictureSource
    /// The name of the packets that may be read.
    package let packets: String

    /// The recording itself.
    package var source: PictureSource { route.source }

    /// Where a track that is seen in `wanted` is seen in `frames`, and the last frame before in
    /// which it is, if decoding for them begins before that, by what `decodingStart` says of a
    /// frame.
    package static func seen(
      _ wanted: [Range<Int>], in frames: Range<Int>, decodingStart: (Int) -> Int
    ) -> [Range<Int>] {
      let inside = wanted.intersection([frames])
      guard let first = inside.first?.lowerBound, let last = wanted.last(before: first),
        last >= decodingStart(first)
      else { return inside }
      return ([last..<last + 1] + inside).merged
    }

    /// The frames for whose pictures it is decoded so that each of `ranges` can be drawn.
    package func windows(in ranges: [Range<Int>]) -> [Range<Int>] {
      let faded = fadings.filter { fading in ranges.contains { $0.overlaps(fading.frames) } }
      return (wanted.intersection(ranges) + faded.map { $0.last..<($0.last + 1) }).merged
    }

    /// The bytes of its file that are read for all of its frames, as far as that is known before.
    package var bytes: [Range<Int>] {
      let frames = (wanted + fadings.map { $0.last..<($0.last + 1) }).merged
      return frames.compactMap { route.index.bytes(of: route.packets(toShow: $0)) }.merged
    }
  }

  /// A picture that changes places with a card.
  package struct Fading: Hashable, Sendable, Encodable {
    /// The last frame that shows it whole.
    package let last: Int
    /// The frames in which it is still seen, but goes on no more.
    package let frames: Range<Int>
  }

  /// Something that lies on the whole canvas.
  package struct Overlay: Hashable, Sendable, Encodable {
    /// A color over the whole canvas under the drawings, or nil.
    package let fill: Color?
    /// The drawings, each group above the one before.
    package let groups: [ArtGroup]
    /// How much of it is seen, 0...256.
    package let shares: Changes<Int>
  }

  /// A clock on the canvas.
  package struct Clock: Hashable, Sendable, Encodable {
    /// What its digits look like.
    package let art: ClockArt
    /// What it shows.
    package let texts: Changes<String>
  }
}

extension OutputFormat {
  /// How many frames the frame around the active speaker takes to appear and to go: 0.2 s.
  package var highlightFade: Int {
    max(1, video.frameRate.firstFrame(showing: MediaTime(nanoseconds: 200_000_000)))
  }

  /// How many frames before a frame a change can have happened that is still fading in it.
  package var history: Int { max(contentFade, highlightFade) }
}
