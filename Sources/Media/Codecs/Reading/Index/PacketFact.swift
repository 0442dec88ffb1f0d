import TesseraTimeline

/// One packet of pictures or sound, as libavformat delivers it.
package struct PacketFact: Hashable, Sendable {
  /// Presentation and decoding time in ticks; nil where the file gives none.
  package var presentation: Int64?
  package var decoding: Int64?
  /// How long it lasts in ticks; 0 where unknown.
  package var duration: Int64 = 0
  /// The byte where it begins in the file; -1 where that is not known.
  package var position: Int64 = -1
  /// Its payload in bytes.
  package var size = 0
  package var isKeyframe = false
  /// Whether it is decoded for reference only, as before the start of an edit.
  package var isDiscarded = false
  /// Whether it is the second field of the picture of the packet before it.
  package var isSecondField = false
  /// Whether bytes of it are missing, or packets before it.
  package var isCorrupt = false
  /// Samples at its end that are only padding.
  package var padding = 0
  /// Whether the decoder's parameters change with it.
  package var changesParameters = false
  /// Its place among the packets of all streams.
  package var sequence = 0

  /// When it is shown or heard, as far as the file says.
  package var time: Int64? { presentation ?? decoding }
}

/// All packets of one stream, with what has to be known to make a clock of their times.
package struct StreamFacts: Sendable {
  /// What the container says of the stream.
  package var info: StreamInfo
  /// In the order of delivery.
  package var packets: [PacketFact] = []
  /// Whether pictures may come out of the decoder in another order than they go in.
  package var mayReorder = false
  /// Of sound: how many samples each packet holds.
  package var samples = SampleCounts()
  /// Where the container says that the stream ends, in ticks, after all of it was read.
  var declaredEnd: Int64?
  /// Where its header or index said so before.
  var promisedEnd: Int64?

  var isSound: Bool { info.kind == .audio }

  /// The first time at which the stream is shown or heard, in ticks. Sound before 0 is a codec's priming.
  var firstTime: Int64? {
    let first = packets.lazy.filter { !$0.isDiscarded }.compactMap(\.time).min()
    return isSound ? first.map { max(0, $0) } : first
  }

  /// Whether the unit of its times is longer than an hour, in which nothing was ever recorded.
  var hasHopelessClock: Bool { info.timeBase.value > 3600 }

  /// Gives packets after the rate has changed the times that they have by their samples, from 0 on,
  /// in units of their rate: where the recordings of a chain differ in it, libavformat goes on with
  /// the lengths and the unit of the first.
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

  /// Gives packets that have a page of Ogg each the times that follow from where their pages end.
  /// libavformat has them begin where the page before ends, also after packets that are missing.
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

  /// Whether more time lies before the packet `fact`, which has the number `number` or comes next,
  /// than between those before it.
  func isGap(before fact: PacketFact, _ number: Int? = nil) -> Bool {
    let number = number ?? packets.count
    guard number > 1, let time = fact.decoding ?? fact.presentation,
      let last = packets[number - 1].decoding ?? packets[number - 1].presentation,
      let before = packets[number - 2].decoding ?? packets[number - 2].presentation
    else { return true }
    return 2 *| (time -| last) > 3 *| max(last -| before, packets[number - 1].duration)
  }

  /// So many seconds in ticks, at least one.
  func ticks(seconds: Int, over divisor: Int = 1) -> Int64 {
    let base = info.timeBase
    guard base.numerator > 0, base.denominator > 0 else { return 1 }
    return max(
      1, Int64(seconds) *| Int64(base.denominator) / (Int64(divisor) *| Int64(base.numerator)))
  }
}

extension PacketFact {
  /// A packet of `size` bytes, its place among all `sequence`.
  package init(size: Int, sequence: Int) {
    self.init(presentation: nil, size: size, sequence: sequence)
  }
}

extension StreamFacts {
  /// A stream of which only the container's words are known.
  package init(_ info: StreamInfo) { self.init(info: info) }
}
