import CTesseraFFmpeg
import CTesseraOpus
import TesseraTimeline

/// libopus, which fills gaps: by going on with what it decoded before, and with what the next packet
/// repeats of the one before it.
///
/// Priming and padding are cut off as libavcodec does it, by what the demuxer says with a packet.
@safe struct OpusDecoder: ~Copyable {
  private let context: OpaquePointer
  private let head: OpusHead
  private let keepsAll: Bool
  private let path: String
  /// The packet at hand, its number, and what is yet to be made with it.
  private let packet: Packet
  private var number = 0
  private var steps: ArraySlice<Step> = []
  /// The samples of the last packet, and of one that could not be decoded.
  private var (lastLength, damaged) = (960, 0)
  /// Samples that are yet to be cut off.
  private var toSkip: Int
  private var hasBegun = false

  private enum Step {
    /// Goes on for that many samples with what was decoded before.
    case conceal(Int)
    /// Takes that many samples from what the packet repeats.
    case recover(Int)
    case decode
  }

  /// Samples a second, per channel, of all that comes out.
  private static let sampleRate = 48_000
  /// The shortest stretch that can be made up: 2.5 ms.
  private static let grain = 120
  /// Samples by which gaps may seem longer than they are, for times are rounded: 0.5 ms.
  private static let rounding = 24
  /// The longest stretch that is made up, of which the last part is to fade away: 120 ms.
  private static let longestFading = 5760

  private init(
    owning context: OpaquePointer, _ head: OpusHead, keepsAll: Bool, packet: consuming Packet,
    path: String
  ) {
    unsafe self.context = unsafe context
    (self.head, self.keepsAll, self.path) = (head, keepsAll, path)
    self.packet = packet
    toSkip = keepsAll ? 0 : head.preSkip
  }

  deinit { unsafe opus_multistream_decoder_destroy(context) }

  /// A decoder for stream `index` of `demuxer`; nil where it is no Opus, or none that libopus
  /// decodes.
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
      owning: context, head, keepsAll: keepsAll, packet: packet, path: demuxer.path)
  }

  /// Takes the next packet, before which `gap` samples are missing.
  mutating func send(
    _ next: borrowing Packet, number: Int, after gap: Int
  ) throws(FFmpegError) {
    packet.clear()
    try check(unsafe av_packet_ref(packet.raw, next.raw), "decode sound", path)
    self.number = number
    steps = (hasBegun ? filling(gap + damaged) : []) + [.decode]
    (hasBegun, damaged) = (true, 0)
    if !keepsAll, let skip = packet.primingSamples { toSkip = skip }
  }

  /// How `gap` samples before the packet at hand are filled.
  private func filling(_ gap: Int) -> ArraySlice<Step> {
    let missing = (gap + Self.grain - 1 - Self.rounding) / Self.grain * Self.grain
    let recovered = packet.repeats && head.streams == 1 ? packetLength ?? 0 : 0
    guard recovered > 0, recovered <= missing else { return concealing(missing) }
    return concealing(missing - recovered) + [.recover(recovered)]
  }

  private func concealing(_ missing: Int) -> ArraySlice<Step> {
    guard missing > 0 else { return [] }
    return [.conceal(min(missing, Self.longestFading))]
  }

  /// The samples of the packet at hand; nil where it is damaged.
  private var packetLength: Int? {
    guard let data = unsafe packet.raw.pointee.data else { return nil }
    let count = unsafe opus_packet_get_nb_samples(
      data, opus_int32(packet.size), opus_int32(Self.sampleRate))
    return count > 0 ? Int(count) : nil
  }

  /// The next block, its samples in `frame`; nil when the decoder wants a packet.
  mutating func receive(into frame: borrowing Frame) throws(FFmpegError) -> AudioDecoder.Block? {
    while let step = steps.popFirst() {
      var block = AudioDecoder.Block(
        packet: number, skipped: .zero, sampleCount: 0, sampleRate: Self.sampleRate)
      switch step {
      case .conceal(let count):
        block.making = .concealed
        block.sampleCount = try decode(count, step, into: frame)
      case .recover(let count):
        block.making = .recovered
        block.sampleCount = try decode(count, step, into: frame)
      case .decode:
        damaged = lastLength
        lastLength = packetLength ?? lastLength
        let count = try decode(lastLength, step, into: frame)
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

  /// Does a step, from which at most `count` samples come; returns how many did.
  private func decode(
    _ count: Int, _ step: Step, into frame: borrowing Frame
  ) throws(FFmpegError) -> Int {
    try check(
      unsafe cff_take_samples(
        frame.raw, CInt(count), CInt(Self.sampleRate), CInt(head.channels), head.channelMask),
      "take memory for sound", path)
    let (conceals, recovers) =
      switch step {
      case .conceal: (true, false)
      case .recover: (false, true)
      case .decode: (false, false)
      }
    let result = unsafe opus_multistream_decode_float(
      context, conceals ? nil : packet.raw.pointee.data, conceals ? 0 : opus_int32(packet.size),
      cff_samples(frame.raw), CInt(count), recovers ? 1 : 0)
    try check(result < 0 ? CFF_ERROR_INVALID_DATA : 0, "decode sound", path)
    return Int(result)
  }

  /// Which of `count` samples of the packet at hand are to be heard; nil for none.
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
  /// Whether it holds a copy of the packet before it.
  fileprivate var repeats: Bool {
    unsafe raw.pointee.data != nil && copus_repeats(raw.pointee.data, CInt(size)) != 0
  }
}
