import TesseraCodecs
import TesseraJobs
import TesseraPixels
import TesseraTimeline

/// What a track has to decode, and when it is seen.
package struct TrackNeed: Sendable {
  package let id: TrackID
  /// The frames in which it is seen.
  package let wanted: [Range<Int>]
  /// The frame that decoding begins with so that the given one can be shown.
  package let decodingStart: @Sendable (Int) -> Int
  /// What decoding a frame costs: its pixels.
  package let weight: Int

  /// The frames of it that are seen in `frames`.
  package func count(in frames: [Range<Int>]) -> Int {
    wanted.intersection(frames).reduce(0) { $0 + $1.count }
  }

  /// The frames that are decoded for nothing where a run begins with `frame`.
  package func preroll(at frame: Int) -> Int {
    guard let window = wanted.first(where: { $0.contains(frame) }), frame > window.lowerBound
    else { return 0 }
    return max(0, frame - max(window.lowerBound, decodingStart(frame)))
  }
}

extension Plan {
  /// What all tracks have to decode, which are seen in the frames `wanted`.
  package func trackNeeds(_ wanted: [[Range<Int>]]) -> [TrackNeed] {
    let rate = output.video.frameRate
    var needs: [TrackNeed] = []
    for (track, wanted) in zip(tracks, wanted) {
      needs.append(
        TrackNeed(
          id: track.id, wanted: wanted,
          decodingStart: { track.decodingStart(toShow: $0, at: rate) },
          weight: track.pixelCount))
    }
    return needs
  }

  /// What making `frames` costs: pixels that are decoded, and those of the canvas, which are
  /// composed and encoded.
  package func cost(of frames: [Range<Int>], _ needs: [TrackNeed]) -> RenditionPlan.Cost {
    let canvas = output.video.size.width * output.video.size.height
    let decoded = needs.reduce(0) { $0 + $1.count(in: frames) * $1.weight }
    let preroll = needs.reduce(0) { $0 + $1.preroll(at: frames.first?.lowerBound ?? 0) * $1.weight }
    let count = frames.reduce(0) { $0 + $1.count }
    return RenditionPlan.Cost(
      decoded: Double(decoded), drawn: Double(count * canvas * 3), preroll: Double(preroll))
  }
}
