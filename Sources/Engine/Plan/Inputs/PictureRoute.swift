package import TesseraCodecs
package import TesseraTimeline

/// Which picture of a track each of some frames shows, and where decoding has to begin for it:
/// known from the index, before anything is decoded.
package struct PictureRoute: Sendable {
  /// What is read.
  package let source: PictureSource
  /// The pictures that these frames show, and the one that follows.
  private let numbers: Range<Int>
  /// The first frame that each of them is shown in, if no later one is; those before the frames or
  /// after them are as close as possible.
  private let frames: [Int]

  /// The route of `source`, whose times lie on a timeline as `clock` says, through those frames of
  /// the timeline that have the numbers `seen` when they are counted from frame `origin` on. It has
  /// no pictures from `cutoff` on. The first picture is shown from frame `heldFrom` of the timeline
  /// on if that is before its time.
  package init(
    _ source: PictureSource, clock: TrackClock, frameRate: FrameRate, origin: Int = 0,
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

  /// The number of all pictures.
  package var count: Int { source.pictureCount }

  /// The number of the picture of packet number `packet`, or of the last one before it; nil before
  /// the first.
  package func picture(of packet: Int) -> Int? { number(of: PictureID(packet: packet)) }

  /// The number of the picture `picture`, or of the last one before it; nil before the first.
  package func number(of picture: PictureID) -> Int? { source.number(of: picture) }

  /// The first frame that shows picture `number`, if any does: `Int.min` before these frames, and
  /// `Int.max` after them.
  package func frame(of number: Int) -> Int {
    guard numbers.contains(number) else { return number < numbers.lowerBound ? .min : .max }
    return frames[number - numbers.lowerBound]
  }

  /// The picture that `frame` shows, or the first of all where it shows none yet.
  package func picture(shownIn frame: Int) -> Int {
    numbers.lowerBound + max(0, frames.partitioningIndex { $0 > frame } - 1)
  }

  /// The last packet that these frames' pictures come from; -1 where they have none.
  package var lastPacket: Int { packets.max() ?? -1 }

  private var packets: [Int] { numbers.map(packet) }

  /// The packet of picture `number`.
  package func packet(of number: Int) -> Int { source.picture(numbered: number).packet }

  /// Whether the pictures `first` and `second`, of two packets, have one time.
  package func isSimultaneous(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (packet(of: first), packet(of: second))
    return first != second && index.ticks[first] == index.ticks[second]
  }

  /// The packets that are read so that all of `frames` can be shown.
  package func packets(toShow frames: Range<Int>) -> Range<Int> {
    let (first, last) = (
      picture(shownIn: frames.lowerBound), picture(shownIn: frames.upperBound - 1)
    )
    guard numbers.contains(first) else { return 0..<0 }
    // The picture that follows says until when the last one is shown.
    let shown = (first...min(last + 1, numbers.upperBound - 1)).map(packet)
    let start = start(toShow: first)
    return min(start, shown.min() ?? start)..<(shown.max() ?? start) + 1
  }

  /// All packets of the stream.
  package var index: PacketIndex { source.index }

  /// The first picture that comes out of a decoder which begins with packet number `start`.
  package func firstPicture(from start: Int) -> Int {
    start > source.track.packets.lowerBound ? picture(of: start) ?? 0 : 0
  }

  /// The packet that decoding has to begin with so that picture `number` comes out as in a row.
  package func start(toShow number: Int) -> Int { source.decodingStart(toShow: packet(of: number)) }
}

extension Plan.Track {
  /// The frame of the picture that decoding begins with so that `frame` can be shown.
  package func decodingStart(toShow frame: Int, at rate: FrameRate) -> Int {
    let route = PictureRoute(
      source, clock: clock, frameRate: rate, cutoff: cutoff, heldFrom: heldFrom, frame..<frame + 1)
    guard route.count > 0 else { return frame }
    let packet = route.start(toShow: route.picture(shownIn: frame))
    return clock.firstFrame(showing: source.index.ticks[packet], at: rate)
  }
}

extension PictureRoute: Encodable {
  private enum CodingKeys: CodingKey { case first, frames, packets }

  /// Which packets' pictures are shown from which frames on.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(numbers.lowerBound, forKey: .first)
    try container.encode(frames, forKey: .frames)
    try container.encode(packets, forKey: .packets)
  }
}
