package import TesseraPixels
import TesseraSystem
package import TesseraTimeline

/// The pictures of one track, with all that is needed to read them from any keyframe on.
package struct PictureSource: Hashable, Sendable {
  /// The file.
  package var path: String
  /// The track in it.
  package internal(set) var track: MediaTrack
  /// The packets of the track's stream.
  package internal(set) var index: PacketIndex
  /// Whether its pictures are field pairs, to be made whole.
  package var isInterlaced: Bool
  /// How long a pair usually lasts, in ticks, where each of its fields is a picture of its own; nil
  /// where a pair is one picture.
  package internal(set) var pairTicks: Int64?
  /// What shows through transparent pictures.
  package var background = Color.black
  /// The packets whose pictures are shown, in the order in which they are.
  package internal(set) var order: [Int32]

  /// The pictures of `track`, whose stream has the packets in `index`.
  package init(track: MediaTrack, index: PacketIndex, path: String) {
    (self.track, self.index, self.path) = (track, index, path)
    isInterlaced =
      track.stream.video?.isInterlaced ?? false || track.firstPicture?.isInterlaced ?? false
    let shown = track.packets.filter(index.isShown)
    order = shown.sorted { (index.ticks[$0], $0) < (index.ticks[$1], $1) }.map(Int32.init)
  }

  /// Loads libraries that reading its pictures needs: before a sandbox in which they would not be
  /// found.
  package func loadLibraries() { if isInterlaced { Deinterlacer.load() } }

  /// When the picture of packet number `packet` is shown, relative to the file's beginning; of a
  /// pair of fields, the first one.
  package func time(of packet: Int) -> ExactTime { track.clock.time(ticks: index.ticks[packet]) }

  /// Whether the picture of packet number `first` is shown before that of packet number `second`.
  package func shows(_ first: Int, before second: Int) -> Bool {
    (index.ticks[first], first) < (index.ticks[second], second)
  }

  /// The packet of the picture that is shown after that of packet number `packet`; nil after the
  /// last one.
  package func shown(after packet: Int) -> Int? {
    let next = order.partitioningIndex { shows(packet, before: Int($0)) }
    return next < order.count ? Int(order[next]) : nil
  }

  private func shown(before packet: Int) -> Int? {
    let next = order.partitioningIndex { !shows(Int($0), before: packet) }
    return next > 0 ? Int(order[next - 1]) : nil
  }

  /// The packet to begin decoding at so that the picture of packet number `packet` comes out as it
  /// does in a row: the last keyframe before it that is not shown after it, or the first packet.
  ///
  /// A deinterlacer looks at the picture before too, so that is then read as well.
  package func decodingStart(toShow packet: Int) -> Int {
    decodingStart(at: isInterlaced ? shown(before: packet) ?? packet : packet, back: 0)
  }

  /// The same for a picture that stands alone, or a number of keyframes further back.
  func decodingStart(at packet: Int, back count: Int) -> Int {
    guard !track.isCounted, let last = index.keyframe(upTo: packet) else {
      return track.packets.lowerBound
    }
    var place = last - count
    while place >= 0, index.keyframes[place] > track.packets.lowerBound {
      let keyframe = Int(index.keyframes[place])
      if index.ticks[keyframe] <= index.ticks[packet] { return keyframe }
      place -= 1
    }
    return track.packets.lowerBound
  }
}

extension PictureSource: Codable {
  private enum CodingKeys: CodingKey {
    case path, track, index, isInterlaced, pairTicks, background
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      track: try container.decode(MediaTrack.self, forKey: .track),
      index: try container.decode(PacketIndex.self, forKey: .index),
      path: try container.decode(String.self, forKey: .path))
    isInterlaced = try container.decode(Bool.self, forKey: .isInterlaced)
    pairTicks = try container.decodeIfPresent(Int64.self, forKey: .pairTicks)
    background = try container.decode(Color.self, forKey: .background)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(track, forKey: .track)
    try container.encode(index, forKey: .index)
    try container.encode(isInterlaced, forKey: .isInterlaced)
    try container.encodeIfPresent(pairTicks, forKey: .pairTicks)
    try container.encode(background, forKey: .background)
  }
}

extension PacketIndex: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let index = PacketIndex(encoded: try container.decode(SideBytes.self).bytes) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no packet index")
    }
    self = index
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(SideBytes(encoded))
  }
}
