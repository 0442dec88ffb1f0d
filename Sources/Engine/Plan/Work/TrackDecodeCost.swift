import TesseraCodecs
import TesseraPixels
import TesseraTimeline

/// The decoding cost of a track and the frames that show it.
package struct TrackDecodeCost: Sendable {
  package let id: TrackID
  /// The frames that show the track.
  package let wanted: [Range<Int>]
  /// Returns the frame at which decoding has to start to show the given frame.
  package let decodingStart: @Sendable (Int) -> Int
  /// The cost of a decoded frame, in pixels.
  package let weight: Int

  /// Returns the number of `frames` that show the track.
  package func count(in frames: [Range<Int>]) -> Int {
    wanted.intersection(frames).reduce(0) { $0 + $1.count }
  }

  /// Returns the pre-roll in frames if a run starts with `frame`: decoded, but not shown.
  package func preroll(at frame: Int) -> Int {
    guard let window = wanted.first(where: { $0.contains(frame) }), frame > window.lowerBound
    else { return 0 }
    return max(0, frame - max(window.lowerBound, decodingStart(frame)))
  }
}

extension Plan {
  /// Returns the decoding cost of all tracks. `wanted` are the frames that show each track.
  package func decodeCosts(_ wanted: [[Range<Int>]]) -> [TrackDecodeCost] {
    let rate = output.video.frameRate
    var needs: [TrackDecodeCost] = []
    for (track, wanted) in zip(tracks, wanted) {
      needs.append(
        TrackDecodeCost(
          id: track.id, wanted: wanted,
          decodingStart: { track.decodingStart(toShow: $0, at: rate) },
          weight: track.pixelCount))
    }
    return needs
  }

  /// Returns the estimated cost of rendering `frames`, in pixels: decoded for the frames, decoded
  /// as pre-roll, and three for each canvas pixel.
  package func cost(of frames: [Range<Int>], _ needs: [TrackDecodeCost]) -> RenditionPlan.Cost {
    let canvas = output.video.size.width * output.video.size.height
    let decoded = needs.reduce(0) { $0 + $1.count(in: frames) * $1.weight }
    let preroll = needs.reduce(0) { $0 + $1.preroll(at: frames.first?.lowerBound ?? 0) * $1.weight }
    let count = frames.reduce(0) { $0 + $1.count }
    return RenditionPlan.Cost(
      decoded: Double(decoded), drawn: Double(count * canvas * 3), preroll: Double(preroll))
  }
}
