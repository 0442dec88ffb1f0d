package import TesseraCodecs
package import TesseraTimeline

/// The pictures of a track that a range of frames shows, and the packets at which decoding has to
/// start for each. Computed from the packet index, before anything is decoded.
package struct PictureSchedule: Sendable {
  /// The stream that is read.
  package let source: PictureSource
  /// Numbers of the pictures that the frames show, and of the picture after them.
  private let numbers: Range<Int>
  /// For each picture of `numbers`, the first frame that shows it unless a later picture does.
  /// Frames outside the range are clamped to the frame before it or the frame after it.
  private let frames: [Int]

  /// Computes the route of `source` through frames of the timeline.
  ///
  /// - Parameters:
  ///   - source: the stream that is read.
  ///   - clock: maps the stream's ticks to the timeline.
  ///   - frameRate: the frame rate of the timeline.
  ///   - origin: the frame of the timeline that has number 0 in the route.
  ///   - cutoff: the time from which on no picture is shown; `nil` if the track ends with its
  ///     stream.
  ///   - heldFrom: the frame of the timeline from which the first picture is shown early; `nil`
  ///     shows it from its own time.
  ///   - seen: the frames to cover, counted from `origin`.
  package init(
    _ source: PictureSource, clock: TrackTimeMapping, frameRate: FrameRate, origin: Int = 0,
    cutoff: ExactTime? = nil, heldFrom: Int? = nil, _ seen: Range<Int>
  ) {
    self.source = source
    let foremost = source.track.firstPicture.flatMap { first in
      heldFrom.map { (time: clock.time(ticks: source.index.ticks[first.packet]), frame: $0) }
    }
    let frame = { (time: ExactTime) -> Int? in
      guard cutoff.map({ $0 <= time }) != true else { return nil }
      let exact = frameRate.firstFrame(showing: time)
      guard let foremost, time <= foremost.time else { return exact - origin }
      return min(exact, foremost.frame) - origin
    }
    let next = source.order.partitioningIndex {
      frame(clock.time(ticks: source.index.ticks[Int($0)])).map { $0 > seen.lowerBound } ?? true
    }
    let first = max(0, next - 1) * (source.showsFields ? 2 : 1)
    var frames: [Int] = []
    for number in first..<max(first, source.pictureCount) {
      guard let exact = frame(source.time(ofPicture: number, on: clock)) else { break }
      frames.append(min(max(exact, seen.lowerBound - 1), seen.upperBound))
      if exact >= seen.upperBound { break }
    }
    (numbers, self.frames) = (first..<(first + frames.count), frames)
  }

  /// Number of pictures of the whole stream.
  package var count: Int { source.pictureCount }

  /// Returns the number of the picture of packet number `packet`, or of the last picture before it;
  /// nil if there is no earlier picture.
  package func picture(of packet: Int) -> Int? { number(of: DecodedPictureID(packet: packet)) }

  /// Returns the number of `picture`, or of the last picture before it; nil if there is no earlier
  /// picture.
  package func number(of picture: DecodedPictureID) -> Int? { source.number(of: picture) }

  /// Returns the first frame that shows picture `number` unless a later picture does: `Int.min` for
  /// pictures before the route's frames, `Int.max` for pictures after them.
  package func frame(of number: Int) -> Int {
    guard numbers.contains(number) else { return number < numbers.lowerBound ? .min : .max }
    return frames[number - numbers.lowerBound]
  }

  /// Returns the number of the picture that `frame` shows; the first picture if none is due yet.
  package func picture(shownIn frame: Int) -> Int {
    numbers.lowerBound + max(0, frames.partitioningIndex { $0 > frame } - 1)
  }

  /// The highest packet number that the route's pictures come from; -1 if the route has no
  /// pictures.
  package var lastPacket: Int { packets.max() ?? -1 }

  private var packets: [Int] { numbers.map(packet) }

  package func packet(of number: Int) -> Int { source.picture(numbered: number).packet }

  /// True if the pictures `first` and `second` come from different packets with the same timestamp.
  package func isSimultaneous(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (packet(of: first), packet(of: second))
    return first != second && index.ticks[first] == index.ticks[second]
  }

  /// Returns the packets to read so that all of `frames` can be shown.
  package func packets(toShow frames: Range<Int>) -> Range<Int> {
    let (first, last) = (
      picture(shownIn: frames.lowerBound), picture(shownIn: frames.upperBound - 1)
    )
    guard numbers.contains(first) else { return 0..<0 }
    // The following picture's time ends the last shown picture.
    let shown = (first...min(last + 1, numbers.upperBound - 1)).map(packet)
    let start = start(toShow: first)
    return min(start, shown.min() ?? start)..<(shown.max() ?? start) + 1
  }

  /// The packet index of the whole stream.
  package var index: PacketIndex { source.index }

  /// Returns the number of the first picture that a decoder returns which starts at packet number
  /// `start`.
  package func firstPicture(from start: Int) -> Int {
    start > source.track.packets.lowerBound ? picture(of: start) ?? 0 : 0
  }

  /// Returns the packet number at which decoding has to start so that picture `number` comes out as
  /// in continuous decoding.
  package func start(toShow number: Int) -> Int { source.decodingStart(toShow: packet(of: number)) }
}

extension Plan.Track {
  /// Returns the frame of the picture at which decoding has to start so that `frame` can be shown.
  package func decodingStart(toShow frame: Int, at rate: FrameRate) -> Int {
    let route = PictureSchedule(
      source, clock: clock, frameRate: rate, cutoff: cutoff, heldFrom: heldFrom, frame..<frame + 1)
    guard route.count > 0 else { return frame }
    let packet = route.start(toShow: route.picture(shownIn: frame))
    return clock.firstFrame(showing: source.index.ticks[packet], at: rate)
  }
}

extension PictureSchedule: Encodable {
  private enum CodingKeys: CodingKey { case first, frames, packets }

  /// Encodes the packet of each picture and the frame from which it is shown.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(numbers.lowerBound, forKey: .first)
    try container.encode(frames, forKey: .frames)
    try container.encode(packets, forKey: .packets)
  }
}
