import TesseraCodecs
import TesseraPixels
import TesseraTimeline

extension Plan {
  /// The segments as frames of the output, at least one, each with its largest keyframe interval.
  ///
  /// A worker that starts with a segment also renders the encoder's lead before it. So cuts are
  /// that many frames after multiples of 5 s, where recorders often write keyframes. An output
  /// whose encoder is not repeatable is one segment. A cut inside a removed part of the call moves
  /// to the splice.
  var segments: [(frames: Range<Int>, interval: Int)] {
    let (video, rate) = (output.video, output.video.frameRate)
    guard video.isRepeatable else { return [(0..<cut.count, video.movingKeyframeInterval)] }
    let duration = rate.time(ofFrame: frameCount)
    let moving = movingCells(before: duration)
    let found = Segmentation(
      duration: duration, tracks: tracks.map { $0.segmentation(at: rate) },
      isStill: { !moving.contains($0) })
    // Joints must not overlap, at any frame rate.
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

  /// Returns the cells in which some track moves, judged by the sizes of recorded packets.
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
  /// The largest delay (10 ms) of a picture that still counts as due at a time, because recorders'
  /// clocks jitter.
  private static let tolerance = MediaTime(nanoseconds: 10_000_000)

  /// The track's share of the decoding cost: thousands of pixels per picture.
  private var weight: Int { max(1, pixelCount / 1024) }

  /// Number of pixels of a picture; 640×360 if the size is unknown.
  var pixelCount: Int {
    let size = source.track.stream.video?.size
    return (size?.width ?? 640) * (size?.height ?? 360)
  }

  /// The bytes of non-keyframes in a 5 s cell above which a track moves: 40 kb/s, or one byte for
  /// nine pixels if the picture is small. Recorders write tiny packets all the time for a still
  /// screen.
  private var stillBytes: Int { min(25_000, pixelCount / 9) }

  /// True if the track moves in a cell of the timeline.
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

  /// Returns the facts about the track that segmentation needs, on a timeline of `rate`.
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
