import TesseraTimeline

/// One packet of pictures or sound, as libavformat delivers it.
struct PacketFact: Hashable, Sendable {
  /// Presentation and decoding time in ticks; nil where the file gives none.
  var presentation: Int64?
  var decoding: Int64?
  /// How long it lasts in ticks; 0 where unknown.
  var duration: Int64 = 0
  /// The byte where it begins in the file; -1 where that is not known.
  var position: Int64 = -1
  /// Its payload in bytes.
  var size = 0
  var isKeyframe = false
  /// Whether it is decoded for reference only, as before the start of an edit.
  var isDiscarded = false
  /// Whether it is the second field of the picture of the packet before it.
  var isSecondField = false
  /// Whether bytes of it are missing.
  var isCorrupt = false
  /// Samples at its end that are only padding.
  var padding = 0
  /// Whether the decoder's parameters change with it.
  var changesParameters = false
  /// Its place among the packets of all streams.
  var sequence = 0

  /// When it is shown or heard, as far as the file says.
  var time: Int64? { presentation ?? decoding }
}

/// All packets of one stream, with what has to be known to make a clock of their times.
struct StreamFacts: Sendable {
  /// What the container says of the stream.
  var info: StreamInfo
  /// In the order of delivery.
  var packets: [PacketFact] = []
  /// Whether pictures may come out of the decoder in another order than they go in.
  var mayReorder = false
  /// Of sound: how many samples each packet holds.
  var samples = SampleCounts()
  /// Where the container says that the stream ends, in ticks, after all of it was read.
  var declaredEnd: Int64?
  /// Where its header or index said so before.
  var promisedEnd: Int64?

  var isSound: Bool { info.kind == .audio }

  /// Whether the unit of its times is longer than an hour, in which nothing was ever recorded.
  var hasHopelessClock: Bool { info.timeBase.value > 3600 }

  /// So many seconds in ticks, at least one.
  func ticks(seconds: Int, over divisor: Int = 1) -> Int64 {
    let base = info.timeBase
    guard base.numerator > 0, base.denominator > 0 else { return 1 }
    return max(
      1, Int64(seconds) *| Int64(base.denominator) / (Int64(divisor) *| Int64(base.numerator)))
  }
}
