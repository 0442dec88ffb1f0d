public import TesseraTimeline

/// One stream of pictures in a file, with all that is needed to read it from any keyframe on.
public struct PictureSource: Hashable, Sendable, Codable {
  /// The file.
  public var path: String
  /// The stream in it.
  public var stream: StreamInfo
  /// The file's beginning in its own clock.
  public var zero: MediaTime
  /// The stream's packets.
  public var index: PacketIndex
  /// Whether its pictures are field pairs, to be made whole.
  public var isInterlaced: Bool

  /// The pictures of `track` of `file`; field pairs where the container says so.
  public init(_ track: MediaFile.Track, of file: MediaFile) {
    path = file.path
    stream = track.stream
    zero = file.zero
    index = track.index
    isInterlaced = track.stream.video?.isInterlaced ?? false
  }

  /// The keyframe with which a reader has to start to see the picture shown at `time`, as a
  /// number in ``PacketIndex/keyframes``; 0 where the file has to be read from its start.
  ///
  /// A deinterlacer looks at the picture before too, so that is then read as well.
  public func firstKeyframe(for time: MediaTime) -> Int {
    guard !index.isCounted, !index.keyframes.isEmpty, var shown = lastTicks(by: limit(time))
    else { return 0 }
    if isInterlaced, let before = lastTicks(by: shown &- 1) { shown = before }
    return index.keyframes.lastIndex { index.ticks[$0.packet] <= shown } ?? 0
  }

  private func lastTicks(by limit: Int64) -> Int64? {
    var last: Int64?
    for ticks in index.ticks where ticks <= limit && ticks > last ?? .min { last = ticks }
    return last
  }

  /// The last ticks that are not after `time`.
  private func limit(_ time: MediaTime) -> Int64 {
    var limit = (time + zero).ticks(timeBase: index.timeBase) &+ 1
    while index.time(ticks: limit, zero: zero) > time { limit -= 1 }
    return limit
  }

  /// The time of the picture of keyframe number `keyframe`.
  public func time(ofKeyframe keyframe: Int) -> MediaTime {
    index.time(ofPacket: index.keyframes[keyframe].packet, zero: zero)
  }

  /// The time of the first picture; nil where there is none.
  public var firstTime: MediaTime? {
    index.ticks.min().map { index.time(ticks: $0, zero: zero) }
  }

  /// The time of the first picture that follows `time`, or nil after the last one.
  public func firstTime(after time: MediaTime) -> MediaTime? {
    index.ticks.map { index.time(ticks: $0, zero: zero) }.filter { $0 > time }.min()
  }

  /// The ticks of all pictures, in ascending order.
  public var shownTicks: [Int64] { index.ticks.sorted() }

  /// Where decoding has to begin so that the picture at `ticks` comes out.
  public func start(toShow ticks: Int64) -> PictureReader.Start {
    let keyframe = firstKeyframe(for: index.time(ticks: ticks, zero: zero))
    let first = keyframe > 0 ? index.ticks[index.keyframes[keyframe].packet] : .min
    return PictureReader.Start(keyframe: keyframe, ticks: first)
  }
}
