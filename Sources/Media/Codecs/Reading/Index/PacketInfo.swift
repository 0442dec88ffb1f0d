import TesseraTimeline

/// The metadata of one packet, as libavformat returns it.
package struct PacketInfo: Hashable, Sendable {
  /// The presentation timestamp (PTS) and the decoding timestamp (DTS) in ticks; `nil` if the file
  /// has none.
  package var presentation: Int64?
  package var decoding: Int64?
  /// The duration in ticks; 0 if unknown.
  package var duration: Int64 = 0
  /// The byte offset of the packet in the file; -1 if unknown.
  package var position: Int64 = -1
  /// The size of the payload, in bytes.
  package var size = 0
  package var isKeyframe = false
  /// True if the packet is decoded for reference only and not shown, as before the start of an
  /// edit.
  package var isDiscarded = false
  /// True if the packet contains the second field of the previous packet's picture.
  package var isSecondField = false
  /// True if parts of the packet, or packets before it, are missing.
  package var isCorrupt = false
  /// The number of padding samples at the packet's end.
  package var padding = 0
  /// True if the packet carries new decoder parameters.
  package var changesParameters = false
  /// The position among the packets of all streams, in file order.
  package var sequence = 0

  /// The presentation timestamp, or else the decoding timestamp; `nil` if the packet has neither.
  package var time: Int64? { presentation ?? decoding }
}

/// The packets of one stream with the metadata that ``ClockStretchFinder`` needs.
package struct StreamPackets: Sendable {
  /// The container's description of the stream.
  package var info: StreamInfo
  /// The packets in file order.
  package var packets: [PacketInfo] = []
  /// True if the codec may output pictures in another order than that of their packets.
  package var mayReorder = false
  /// For audio, the number of samples in each packet.
  package var samples = PacketSampleCounts()
  /// The end of the stream that the container declares after a full read, in ticks; `nil` if it
  /// declares none.
  var declaredEnd: Int64?
  /// The end that the header or an index declared before reading, in ticks; `nil` if it declared
  /// none.
  var promisedEnd: Int64?

  var isSound: Bool { info.kind == .audio }

  /// The earliest timestamp of the stream, in ticks. Audio before 0 is priming and counts as 0.
  var firstTime: Int64? {
    let first = packets.lazy.filter { !$0.isDiscarded }.compactMap(\.time).min()
    return isSound ? first.map { max(0, $0) } : first
  }

  /// True if one tick is longer than an hour, so that the timestamps are useless.
  var hasHopelessClock: Bool { info.timeBase.value > 3600 }

  /// Recomputes audio timestamps after a change of the sample rate from sample counts, starting at
  /// 0, in units of the new rate. In chained recordings with different rates, libavformat continues
  /// with the durations and the time base of the first.
  mutating func countOtherRates() {
    let first = samples[0].rate
    guard isSound, info.timeBase == Ratio(1, first) else { return }
    var (rate, start) = (first, 0.0)
    for packet in packets.indices where rate != first || samples[packet].rate != first {
      if samples[packet].rate != rate {
        rate = samples[packet].rate
        start = samples.length(before: packet, atRate: rate)
      }
      let count = (samples.length(before: packet, atRate: rate) - start).rounded()
      let ticks = Int64(exactly: count) ?? 0
      (packets[packet].presentation, packets[packet].decoding) = (ticks, ticks)
    }
  }

  /// Recomputes timestamps of audio packets that fill an Ogg page each from the end times of their
  /// pages. libavformat starts each packet where the previous page ends, even if packets are
  /// missing in between.
  mutating func countBackFromPages() {
    guard isSound else { return }
    for (number, next) in zip(packets.indices, packets.dropFirst()) {
      let packet = packets[number]
      let pageSize = 28 + packet.size / 255 + packet.size
      let (count, rate) = samples[number]
      guard packet.position >= 0, next.position -| packet.position == Int64(pageSize),
        info.timeBase == Ratio(1, rate), let own = packet.presentation,
        let end = next.presentation, end -| Int64(count) > own
      else { continue }
      (packets[number].presentation, packets[number].decoding) = (
        end -| Int64(count), end -| Int64(count)
      )
    }
  }

  /// True if the time between packet `fact` and its predecessor is more than 1.5 times the previous
  /// packet's. `number` is the number of `fact`; by default the packet follows the last one.
  func isGap(before fact: PacketInfo, _ number: Int? = nil) -> Bool {
    let number = number ?? packets.count
    guard number > 1, let time = fact.decoding ?? fact.presentation,
      let last = packets[number - 1].decoding ?? packets[number - 1].presentation,
      let before = packets[number - 2].decoding ?? packets[number - 2].presentation
    else { return true }
    return 2 *| (time -| last) > 3 *| max(last -| before, packets[number - 1].duration)
  }

  /// Converts `seconds` / `divisor` to ticks, at least one.
  func ticks(seconds: Int, over divisor: Int = 1) -> Int64 {
    let base = info.timeBase
    guard base.numerator > 0, base.denominator > 0 else { return 1 }
    return max(
      1, Int64(seconds) *| Int64(base.denominator) / (Int64(divisor) *| Int64(base.numerator)))
  }
}

extension PacketInfo {
  /// Creates the metadata of a packet without timestamps. `sequence` is its position among the
  /// packets of all streams.
  package init(size: Int, sequence: Int) {
    self.init(presentation: nil, size: size, sequence: sequence)
  }
}

extension StreamPackets {
  /// Creates the facts of a stream whose packets have not been read.
  package init(_ info: StreamInfo) { self.init(info: info) }
}
