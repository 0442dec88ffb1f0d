public import TesseraTimeline

/// What one pass over a file found of one stream: the time of every packet in decoding order,
/// which of them decoding can begin with, and where those lie. About 4 bytes a packet when coded.
public struct PacketIndex: Hashable, Sendable {
  /// A packet with which decoding can begin.
  public struct Keyframe: Hashable, Sendable {
    /// Its number in decoding order.
    public var packet: Int
    /// The byte offset from which the demuxer finds it; -1 where only the container's own index
    /// can.
    public var position: Int64

    /// Packet number `packet`, found from byte `position` on.
    public init(packet: Int, position: Int64) {
      (self.packet, self.position) = (packet, position)
    }
  }

  /// The unit of all ticks, in seconds.
  public var timeBase: Ratio
  /// The presentation time of each packet in decoding order, in ticks. Where the container has
  /// none (raw streams), the packets are numbered at the nominal frame rate.
  public var ticks: [Int64]
  /// The keyframes in decoding order.
  public var keyframes: [Keyframe]
  /// The first tick after the last packet's presentation.
  public var endTicks: Int64
  /// Whether ``ticks`` were made up by counting, so that the file can only be read from its start.
  public var isCounted: Bool
  /// Whether the file's own times begin anew within it or were mended, so that only reading from
  /// its start tells where a packet stands.
  public var isChained: Bool

  /// An index of packets with those times and keyframes.
  public init(
    timeBase: Ratio, ticks: [Int64], keyframes: [Keyframe], endTicks: Int64, isCounted: Bool,
    isChained: Bool = false
  ) {
    (self.timeBase, self.ticks, self.keyframes) = (timeBase, ticks, keyframes)
    (self.endTicks, self.isCounted, self.isChained) = (endTicks, isCounted, isChained)
  }

  /// The time of packet number `packet`, relative to `zero`.
  public func time(ofPacket packet: Int, zero: MediaTime) -> MediaTime {
    time(ticks: ticks[packet], zero: zero)
  }

  /// The time at `ticks`, relative to `zero`.
  public func time(ticks: Int64, zero: MediaTime) -> MediaTime {
    (MediaTime(ticks: ticks, timeBase: timeBase) ?? .zero) - zero
  }

  /// The keyframe from which a decoder has to start so that it puts out the picture at `ticks`
  /// whole: the last one that is not presented after it. Nil where there is none.
  public func keyframe(forPictureAt ticks: Int64) -> Keyframe? {
    keyframes.last { self.ticks[$0.packet] <= ticks }
  }
}

extension PacketIndex: Codable {
  private enum CodingKeys: String, CodingKey {
    case timeBase
    case ticks
    case keyframes
    case endTicks
    case isCounted
    case isChained
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    timeBase = try container.decode(Ratio.self, forKey: .timeBase)
    endTicks = try container.decode(Int64.self, forKey: .endTicks)
    isCounted = try container.decode(Bool.self, forKey: .isCounted)
    isChained = try container.decodeIfPresent(Bool.self, forKey: .isChained) ?? false
    ticks = try container.decode(DeltaCoded.self, forKey: .ticks).values
    let flat = try container.decode(DeltaCoded.self, forKey: .keyframes).values
    keyframes = stride(from: 0, to: flat.count - 1, by: 2).map {
      Keyframe(packet: Int(flat[$0]), position: flat[$0 + 1])
    }
    let areWhole = flat.count.isMultiple(of: 2)
    guard areWhole, keyframes.allSatisfy({ ticks.indices.contains($0.packet) }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .keyframes, in: container,
        debugDescription: "a keyframe is incomplete or lies beyond the packets")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(timeBase, forKey: .timeBase)
    try container.encode(endTicks, forKey: .endTicks)
    try container.encode(isCounted, forKey: .isCounted)
    try container.encode(isChained, forKey: .isChained)
    try container.encode(DeltaCoded(values: ticks), forKey: .ticks)
    let flat = keyframes.flatMap { [Int64($0.packet), $0.position] }
    try container.encode(DeltaCoded(values: flat), forKey: .keyframes)
  }
}
