import CTesseraFFmpeg
import CTesseraOpus
import TesseraTimeline

/// Decodes Opus with libopus, and conceals gaps: by packet loss concealment (PLC), and by forward
/// error correction (FEC) from the next packet's copy of the lost one.
///
/// Priming and padding are trimmed as libavcodec does, by the side data of packets.
@safe struct OpusDecoder: ~Copyable {
  private let context: OpaquePointer
  private let head: OpusHead
  private let keepsAll: Bool
  private let path: String
  /// The current packet, its number, and the steps that remain to be done with it.
  private let packet: Packet
  private var number = 0
  private var steps: ArraySlice<DecodeCall> = []
  /// The sample count of the last packet.
  private var lastLength = 960
  /// The sample count of the last packet if it could not be decoded, otherwise 0.
  private var damaged = 0
  /// The number of samples that remain to be trimmed at the start.
  private var toSkip: Int
  private var hasBegun = false

  /// A call of libopus's decoder.
  private struct DecodeCall {
    /// The concealment of a gap; `nil` decodes the packet.
    var making: SoundBlockInfo.Concealment?
    /// The length of the gap in samples.
    var count = 0
  }

  /// The sample rate of all output, in Hz.
  private static let sampleRate = 48_000
  /// The granularity of concealment in samples: 2.5 ms.
  private static let grain = 120
  /// The tolerance of gap lengths in samples, because timestamps are rounded: 0.5 ms.
  private static let rounding = 24
  /// The longest concealed gap in samples, including the fade-out: 120 ms.
  private static let longestFading = 5760

  deinit { unsafe opus_multistream_decoder_destroy(context) }

  /// Opens a decoder for stream `index` of `demuxer`; returns `nil` if the codec is not Opus or
  /// libopus does not support the stream.
  static func open(
    stream index: Int, of demuxer: borrowing Demuxer, keepsAll: Bool
  ) throws(FFmpegError) -> OpusDecoder? {
    guard let parameters = unsafe demuxer.stream(index)?.pointee.codecpar,
      unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS,
      let head = unsafe OpusHead(
        Array(
          UnsafeBufferPointer(
            start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))),
        channels: Int(parameters.pointee.ch_layout.nb_channels))
    else { return nil }
    let packet = try Packet.allocate()
    guard
      let context = unsafe opus_multistream_decoder_create(
        opus_int32(sampleRate), CInt(head.channels), CInt(head.streams), CInt(head.coupled),
        head.mapping, nil)
    else { return nil }
    _ = unsafe copus_set_gain(context, CInt(head.gain))
    return unsafe OpusDecoder(
      context: context, head: head, keepsAll: keepsAll, path: demuxer.path, packet: packet,
      toSkip: keepsAll ? 0 : head.preSkip)
  }

  /// Accepts the next packet, before which `gap` samples are missing.
  mutating func send(
    _ next: borrowing Packet, number: Int, after gap: Int
  ) throws(FFmpegError) {
    packet.clear()
    try check(unsafe av_packet_ref(packet.raw, next.raw), "decode sound", path)
    self.number = number
    steps = (hasBegun ? filling(gap + damaged) : []) + [DecodeCall()]
    (hasBegun, damaged) = (true, 0)
    if !keepsAll, let skip = packet.primingSamples { toSkip = skip }
  }

  /// Plans the concealment of `gap` samples before the current packet.
  private func filling(_ gap: Int) -> ArraySlice<DecodeCall> {
    let missing = (gap + Self.grain - 1 - Self.rounding) / Self.grain * Self.grain
    let recovered = packet.repeats && head.streams == 1 ? packetLength ?? 0 : 0
    guard recovered > 0, recovered <= missing else { return concealing(missing) }
    return concealing(missing - recovered) + [DecodeCall(making: .recovered, count: recovered)]
  }

  private func concealing(_ missing: Int) -> ArraySlice<DecodeCall> {
    guard missing > 0 else { return [] }
    return [DecodeCall(making: .concealed, count: min(missing, Self.longestFading))]
  }

  /// The number of samples in the current packet; `nil` if it is damaged.
  private var packetLength: Int? {
    guard let data = unsafe packet.raw.pointee.data else { return nil }
    let count = unsafe opus_packet_get_nb_samples(
      data, opus_int32(packet.size), opus_int32(Self.sampleRate))
    return count > 0 ? Int(count) : nil
  }

  /// Returns the next block, with its samples in `frame`; returns `nil` if the decoder needs
  /// another packet.
  mutating func receive(into frame: borrowing Frame) throws(FFmpegError) -> SoundBlockInfo? {
    while let step = steps.popFirst() {
      var block = SoundBlockInfo(packet: number, sampleCount: 0, sampleRate: Self.sampleRate)
      block.making = step.making
      if step.making != nil {
        block.sampleCount = try decode(step.count, step.making, into: frame)
      } else {
        damaged = lastLength
        lastLength = packetLength ?? lastLength
        let count = try decode(lastLength, nil, into: frame)
        damaged = 0
        guard let kept = cut(count) else { continue }
        frame.keepSamples(kept, bytes: MemoryLayout<Float>.size * head.channels)
        block.sampleCount = kept.count
        block.skipped = ExactTime(Int128(kept.lowerBound), over: Int128(Self.sampleRate))
      }
      return block
    }
    return nil
  }

  /// Decodes the packet, or conceals the gap before it, which yields at most `count` samples, and
  /// returns the number of samples in `frame`.
  private func decode(
    _ count: Int, _ making: SoundBlockInfo.Concealment?, into frame: borrowing Frame
  ) throws(FFmpegError) -> Int {
    try check(
      unsafe cff_take_samples(
        frame.raw, CInt(count), CInt(Self.sampleRate), CInt(head.channels), head.channelMask),
      "take memory for sound", path)
    let conceals = making == .concealed
    let result = unsafe opus_multistream_decode_float(
      context, conceals ? nil : packet.raw.pointee.data, conceals ? 0 : opus_int32(packet.size),
      cff_samples(frame.raw), CInt(count), making == .recovered ? 1 : 0)
    try check(result < 0 ? CFF_ERROR_INVALID_DATA : 0, "decode sound", path)
    return Int(result)
  }

  /// Returns the range of the packet's `count` samples that remains after trimming; `nil` if none
  /// remains.
  private mutating func cut(_ count: Int) -> Range<Int>? {
    guard !keepsAll else { return 0..<count }
    let first = min(toSkip, count)
    toSkip -= first
    guard !packet.isDiscarded, first < count else { return nil }
    let padding = packet.paddingSamples
    let end = padding <= count - first ? count - padding : count
    return first < end ? first..<end : nil
  }
}

extension Packet {
  /// True if the packet contains a redundant copy of its predecessor (FEC).
  fileprivate var repeats: Bool {
    unsafe raw.pointee.data != nil && copus_repeats(raw.pointee.data, CInt(size)) != 0
  }
}
