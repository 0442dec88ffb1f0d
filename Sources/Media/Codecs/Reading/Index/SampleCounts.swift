import TesseraTimeline

/// How many samples each packet of a stream of sound holds, as its codec says, in rows of packets
/// that hold the same. What the container says of a packet's length is not looked at: it is the
/// distance of times, which jitter.
package struct SampleCounts: Hashable, Sendable {
  /// Packets that follow each other and hold the same.
  struct Row: Hashable, Sendable {
    /// The number of the first one.
    var first: Int32
    /// What each holds, per channel, and how many make a second.
    var (samples, rate): (Int32, Int32)
    /// What lies before the first one, in parts of a second.
    var before: Int64

    /// How long each lasts, in parts of a second.
    fileprivate func time(of count: Int64) -> Int64 {
      guard rate > 0 else { return 0 }
      let parts = Int128(count) * Int128(samples) * Int128(SampleCounts.partsOfSecond)
      return Int64(clamping: parts / Int128(rate))
    }
  }

  /// The rows in order.
  private(set) var rows: [Row] = []
  /// The number of packets.
  package private(set) var count = 0

  /// Parts of a second in which lengths are added up: whole numbers of them make a sample at all
  /// common rates.
  private static let partsOfSecond = 705_600_000

  /// No packets.
  package init() {}

  /// Goes on with `packets` more, of which each holds `samples` per channel at `rate` a second.
  mutating func append(_ samples: Int, rate: Int, packets: Int = 1) {
    let (samples, rate) = (Int32(clamping: samples), Int32(clamping: rate))
    if let last = rows.last, last.samples == samples, last.rate == rate {
      count += packets
      return
    }
    rows.append(
      Row(
        first: Int32(clamping: count), samples: samples, rate: rate,
        before: rows.isEmpty ? 0 : parts(before: count)))
    count += packets
  }

  /// The row of packet number `packet`.
  private func row(of packet: Int) -> Row? {
    let next = rows.partitioningIndex { $0.first > packet }
    return next > 0 ? rows[next - 1] : nil
  }

  /// The samples of packet number `packet`, per channel, and how many make a second; none where it
  /// is not there.
  package subscript(_ packet: Int) -> (samples: Int, rate: Int) {
    guard packet < count, let row = row(of: packet) else { return (0, 1) }
    return (Int(row.samples), Int(row.rate))
  }

  private func parts(before packet: Int) -> Int64 {
    guard let row = row(of: min(packet, count)) else { return 0 }
    return row.before &+ row.time(of: Int64(min(packet, count)) -| Int64(row.first))
  }

  /// How much lies before packet number `packet`, in samples at `rate`; of all packets where there
  /// are no more.
  package func length(before packet: Int, atRate rate: Int) -> Double {
    Double(parts(before: packet)) * Double(rate) / Double(Self.partsOfSecond)
  }
}

extension SampleCounts {
  /// Writes the rows down, in 3 bytes each as a rule.
  func write(to writer: inout NumberWriter) {
    writer.write(Int64(rows.count))
    var last = Row(first: 0, samples: 0, rate: 0, before: 0)
    for row in rows {
      let hasOtherRate = row.rate != last.rate
      writer.write(Int64(row.first - last.first) << 1 | (hasOtherRate ? 1 : 0))
      writer.write(Int64(row.samples) -| Int64(last.samples))
      if hasOtherRate { writer.write(Int64(row.rate)) }
      last = row
    }
  }

  /// Reads the rows of `count` packets; nil where they are not what ``write(to:)`` writes.
  init?(_ reader: inout NumberReader, count: Int) {
    guard let number = reader.number(), number >= 0, number <= count else { return nil }
    var (samples, rate): (Int64, Int64) = (0, 0)
    var rest: [(first: Int64, samples: Int64, rate: Int64)] = []
    for _ in 0..<number {
      guard let head = reader.number(), head >= 0, let change = reader.number() else { return nil }
      samples &+= change
      if head & 1 != 0 {
        guard let other = reader.number() else { return nil }
        rate = other
      }
      let first = (rest.last?.first ?? 0) &+ head >> 1
      guard (rest.isEmpty ? first == 0 : head > 1), first < count,
        0...Int64(Int32.max) ~= samples, 1...Int64(Int32.max) ~= rate
      else { return nil }
      rest.append((first, samples, rate))
    }
    for (index, row) in rest.enumerated() {
      let end = index + 1 < rest.count ? Int(rest[index + 1].first) : count
      append(Int(row.samples), rate: Int(row.rate), packets: end - Int(row.first))
    }
  }
}
