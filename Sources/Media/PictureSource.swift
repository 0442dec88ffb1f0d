public import Timeline

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
    guard !index.isCounted, !index.keyframes.isEmpty else { return 0 }
    let sorted = index.ticks.sorted()
    var shown = sorted.partitioningIndex { index.time(ticks: $0, zero: zero) > time } - 1
    if isInterlaced { shown -= 1 }
    guard shown > 0 else { return 0 }
    return index.keyframes.lastIndex { index.ticks[$0.packet] <= sorted[shown] } ?? 0
  }

  /// The time of the first picture that follows `time`, or nil after the last one.
  public func firstTime(after time: MediaTime) -> MediaTime? {
    index.ticks.map { index.time(ticks: $0, zero: zero) }.filter { $0 > time }.min()
  }
}

extension Array {
  /// The index of the first element for which `belongs` holds, all after it agreeing.
  func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
