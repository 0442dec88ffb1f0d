import TesseraCodecs
import TesseraPixels
import TesseraTimeline

extension Plan {
  /// The segments of the output, in its frames: at least one.
  ///
  /// A worker that begins with a segment renders the encoder's lead before it, too. So cuts lie as many
  /// frames after round times: recorders like to write keyframes there. An output that cannot be
  /// cut is one segment. Where a cut lies in what is left out of the call, it moves to the splice.
  var segments: [(frames: Range<Int>, interval: Int)] {
    let (video, rate) = (output.video, output.video.frameRate)
    guard video.isRepeatable else { return [(0..<cut.count, video.movingKeyframeInterval)] }
    let duration = rate.time(ofFrame: frameCount)
    let moving = movingCells(before: duration)
    let found = Segmentation(
      duration: duration, tracks: tracks.map { $0.segmentation(at: rate) },
      isStill: { !moving.contains($0) })
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
    return zip(starts, starts.dropFirst() + [cut.count]).map { first, end in
      let moves = cut.call(first..<end).contains { frames in
        let (from, to) = (
          rate.time(ofFrame: frames.lowerBound), rate.time(ofFrame: frames.upperBound - 1)
        )
        return (Segmentation.cell(at: from)...Segmentation.cell(at: to)).contains(
          where: moving.contains)
      }
      return (first..<end, moves ? video.movingKeyframeInterval : video.keyframeInterval)
    }
  }

  /// The cells in which a track moves, by what its recorder wrote.
  private func movingCells(before end: MediaTime) -> Set<Int> {
    let rate = output.video.frameRate
    return tracks.reduce(into: []) { cells, track in
      let first = Segmentation.cell(at: rate.time(ofFrame: track.frames.lowerBound))
      let last = Segmentation.cell(
        at: min(end, rate.time(ofFrame: max(track.frames.lowerBound, track.frames.upperBound - 1))))
      guard first <= last else { return }
      for cell in first...last where !cells.contains(cell) && track.moves(in: cell) {
        cells.insert(cell)
      }
    }
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

  /// What is written in five seconds of a still picture is less than this, keyframes aside: 40 kb/s,
  /// and of a small picture less than a byte for nine of its pixels. A still screen takes tiny
  /// pictures all the time.
  private var stillBytes: Int { min(25_000, pixelCount / 9) }

  /// Whether something moves in a cell of the timeline.
  fileprivate func moves(in cell: Int) -> Bool {
    let (index, order) = (source.index, source.order)
    func place(_ time: MediaTime) -> Int {
      let start = ExactTime(time)
      return order.partitioningIndex { clock.time(ticks: index.ticks[Int($0)]) >= start }
    }
    let first = place(Segmentation.start(ofCell: cell))
    let end = place(Segmentation.start(ofCell: cell + 1))
    var bytes = 0
    for packet in order[first..<max(first, end)] where !index.isKeyframe(Int(packet)) {
      bytes +|= Int(index.sizes[Int(packet)])
      if bytes > stillBytes { return true }
    }
    return false
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
