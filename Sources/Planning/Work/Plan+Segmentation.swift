import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraTimeline

extension Plan {
  /// The segments of the output, in its frames: at least one.
  ///
  /// A worker that begins with a segment renders the encoder's lead before it, too. So cuts lie as many
  /// frames after round times: recorders like to write keyframes there. An output that cannot be
  /// cut is one segment. Where a cut lies in what is left out of the call, it moves to the splice.
  var segments: [Range<Int>] {
    let video = output.video
    guard video.isRepeatable else { return [0..<cut.count] }
    let rate = video.frameRate
    let found = Segmentation(
      duration: rate.time(ofFrame: frameCount), tracks: tracks.map { $0.segmentation(at: rate) })
    // Joints must not overlap, at whatever rate.
    let distance = max(1, video.lead + video.follow)
    let shortest = rate.firstFrame(showing: Segmentation.shortestLength)
    var starts = [0]
    for time in found.cuts.map(Segmentation.start(ofCell:)) {
      let place = cut.output(from: rate.firstFrame(showing: time))
      let frame = cut.output(from: rate.firstFrame(showing: time) + video.lead)
      guard place >= shortest, cut.count - place >= shortest,
        frame - starts[starts.count - 1] >= distance, frame + distance <= cut.count
      else { continue }
      starts.append(frame)
    }
    return zip(starts, starts.dropFirst() + [cut.count]).map { $0..<$1 }
  }
}

extension Plan.Track {
  /// A picture that is due up to so much later is shown at a time, too: recorders' clocks jitter.
  private static let tolerance = MediaTime(nanoseconds: 10_000_000)

  /// What decoding costs beside others: its pixels, in thousands.
  private var weight: Int { max(1, pixelCount / 1024) }

  /// The pixels of a picture.
  var pixelCount: Int {
    let size = source.track.stream.video?.size
    return (size?.width ?? 640) * (size?.height ?? 360)
  }

  /// What segmentation has to know of it, on a timeline of that rate.
  fileprivate func segmentation(at rate: FrameRate) -> Segmentation.Track {
    let (source, clock) = (source, clock)
    return Segmentation.Track(
      interval: TimeRange(
        start: rate.time(ofFrame: frames.lowerBound), end: rate.time(ofFrame: frames.upperBound)),
      weight: weight
    ) { time in
      let due = ExactTime(time + Self.tolerance)
      let next = source.order.partitioningIndex {
        clock.time(ticks: source.index.ticks[Int($0)]) > due
      }
      guard next > 0 else { return time }
      let packet = source.decodingStart(toShow: Int(source.order[next - 1]))
      return clock.time(ticks: source.index.ticks[packet]).rounded
    }
  }
}
