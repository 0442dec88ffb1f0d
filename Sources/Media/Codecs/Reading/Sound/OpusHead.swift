/// The identification header of an Opus stream (RFC 7845, section 5.1), with the channels in
/// libav*'s order.
struct OpusHead: Hashable, Sendable {
  /// The number of output channels.
  var channels: Int
  /// The speakers of the channels as libav*'s channel mask; 0 for channels without speaker
  /// positions.
  var channelMask: UInt64
  /// The number of streams in a packet, and the number of these with two channels.
  var (streams, coupled): (Int, Int)
  /// The index of the decoded channel for each output channel.
  var mapping: [UInt8]
  /// The number of samples per channel, at 48 kHz, to trim at the start.
  var preSkip: Int
  /// The output gain in units of 1/256 dB.
  var gain: Int

  /// The channel masks for 1 to 8 channels of mapping family 1.
  private static let masks: [UInt64] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f]
  /// The order of libav*'s channels in terms of Vorbis's, for 1 to 8 channels.
  private static let orders: [[Int]] = [
    [0], [0, 1], [0, 2, 1], [0, 1, 2, 3], [0, 2, 1, 3, 4], [0, 2, 1, 5, 3, 4],
    [0, 2, 1, 6, 5, 3, 4], [0, 2, 1, 7, 5, 6, 3, 4],
  ]

  /// Parses the header from the container. An empty header means the defaults for `count` channels.
  /// Returns `nil` if the header is damaged or its channels are neither speakers nor independent
  /// channels.
  init?(_ header: [UInt8], channels count: Int) {
    let family: UInt8
    if header.isEmpty {
      (channels, preSkip, gain, family) = (count, 0, 0, 0)
    } else {
      guard header.count >= 19, header[8] < 16 else { return nil }
      let word = { UInt16(header[$0]) | UInt16(header[$0 + 1]) << 8 }
      (channels, preSkip, family) = (Int(header[9]), Int(word(10)), header[18])
      gain = Int(Int16(bitPattern: word(16)))
    }
    guard channels > 0 else { return nil }
    if family == 0 {
      guard channels <= 2 else { return nil }
      (streams, coupled, mapping) = (1, channels - 1, [0, 1])
    } else {
      guard header.count >= 21 + channels else { return nil }
      (streams, coupled) = (Int(header[19]), Int(header[20]))
      mapping = Array(header[21..<21 + channels])
    }
    switch family {
    case 0, 1:
      guard channels <= Self.masks.count else { return nil }
      channelMask = Self.masks[channels - 1]
      let coded = mapping
      mapping = Self.orders[channels - 1].map { coded[$0] }
    case 255: channelMask = 0
    default: return nil
    }
  }
}
