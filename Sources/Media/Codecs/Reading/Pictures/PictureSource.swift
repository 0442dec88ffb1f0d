package import TesseraPixels
import TesseraSystem
package import TesseraTimeline

/// A video track with everything that is needed to read it from any keyframe on.
package struct PictureSource: Hashable, Sendable {
  /// The path of the file, or of the run of a playlist's segments.
  package var path: String
  package internal(set) var track: MediaTrack
  /// The packets of the track's stream.
  package internal(set) var index: PacketIndex
  /// True if the pictures are interlaced and must be deinterlaced.
  package var isInterlaced: Bool
  /// The usual duration of a frame in ticks if its fields are shown as separate pictures; otherwise
  /// `nil`.
  package internal(set) var pairTicks: Int64?
  /// The color behind transparent pictures.
  package var background = Color.black
  /// The packets whose pictures are shown, in presentation order.
  package internal(set) var order: [Int32]

  /// Creates the source of `track`; `index` contains the packets of the track's stream.
  package init(track: MediaTrack, index: PacketIndex, path: String) {
    (self.track, self.index, self.path) = (track, index, path)
    isInterlaced =
      track.stream.video?.isInterlaced ?? false || track.firstPicture?.isInterlaced ?? false
    let shown = track.packets.filter(index.isShown)
    order = shown.sorted { (index.ticks[$0], $0) < (index.ticks[$1], $1) }.map(Int32.init)
  }

  /// Loads the libraries that decoding needs. Must be called before entering a sandbox in which
  /// they cannot be opened.
  package func loadLibraries() { if isInterlaced { Deinterlacer.load() } }

  /// Returns the presentation time of packet number `packet` relative to the start of the file; for
  /// separate fields, that of the first one.
  package func time(of packet: Int) -> ExactTime { track.clock.time(ticks: index.ticks[packet]) }

  /// True if the picture of packet number `first` is shown before that of packet number `second`.
  package func shows(_ first: Int, before second: Int) -> Bool {
    (index.ticks[first], first) < (index.ticks[second], second)
  }

  /// Returns the packet of the picture that is shown after that of packet number `packet`; returns
  /// `nil` after the last one.
  package func shown(after packet: Int) -> Int? {
    let next = order.partitioningIndex { shows(packet, before: Int($0)) }
    return next < order.count ? Int(order[next]) : nil
  }

  private func shown(before packet: Int) -> Int? {
    let next = order.partitioningIndex { !shows(Int($0), before: packet) }
    return next > 0 ? Int(order[next - 1]) : nil
  }

  /// Returns the packet at which to start decoding so that the picture of packet number `packet` is
  /// identical to that of a continuous decode: the last keyframe before it that is not shown after
  /// it, or the first packet.
  ///
  /// Deinterlacing also needs the picture before, which is then included.
  package func decodingStart(toShow packet: Int) -> Int {
    decodingStart(at: isInterlaced ? shown(before: packet) ?? packet : packet, back: 0)
  }

  /// Returns the packet at which to start decoding for a picture without neighbors, going back
  /// `count` additional keyframes.
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
}

extension PacketIndex: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let index = PacketIndex(encoded: try container.decode(StoredBlob.self).bytes) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no packet index")
    }
    self = index
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(StoredBlob(encoded))
  }
}
