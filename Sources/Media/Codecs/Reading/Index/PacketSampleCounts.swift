import TesseraTimeline

/// The number of samples in each packet of an audio stream, run-length coded. The counts come from
/// the codec's packet headers and not from the container's durations, which are differences of
/// jittering timestamps.
package struct PacketSampleCounts: Hashable, Sendable {
  /// Consecutive packets with equal sample counts.
  struct CountRun: Hashable, Sendable {
    /// The number of the first packet.
    var first: Int32
    /// The number of samples per channel in each packet, and the sample rate in Hz.
    var (samples, rate): (Int32, Int32)
    /// The total duration before the first packet, in units of
    /// ``PacketSampleCounts/partsOfSecond``.
    var before: Int64

    /// Returns the duration of `count` packets, in units of ``PacketSampleCounts/partsOfSecond``.
    fileprivate func time(of count: Int64) -> Int64 {
      guard rate > 0 else { return 0 }
      let parts = Int128(count) * Int128(samples) * Int128(PacketSampleCounts.partsOfSecond)
      return Int64(clamping: parts / Int128(rate))
    }
  }

  /// The rows in ascending order.
  private(set) var rows: [CountRun] = []
  /// The number of packets.
  package private(set) var count = 0

  /// The number of time units per second: divisible by all common sample rates.
  private static let partsOfSecond = 705_600_000

  /// Creates counts of no packets.
  package init() {}

  /// Appends `packets` packets with `samples` samples per channel each, at `rate` Hz.
  mutating func append(_ samples: Int, rate: Int, packets: Int = 1) {
    let (samples, rate) = (Int32(clamping: samples), Int32(clamping: rate))
    if let last = rows.last, last.samples == samples, last.rate == rate {
      count += packets
      return
    }
    rows.append(
      CountRun(
        first: Int32(clamping: count), samples: samples, rate: rate,
        before: rows.isEmpty ? 0 : parts(before: count)))
    count += packets
  }

  /// Returns the row that contains packet number `packet`.
  private func row(of packet: Int) -> CountRun? {
    let next = rows.partitioningIndex { $0.first > packet }
    return next > 0 ? rows[next - 1] : nil
  }

  /// The number of samples per channel and the sample rate of packet number `packet`; (0, 1) if the
  /// packet does not exist.
  package subscript(_ packet: Int) -> (samples: Int, rate: Int) {
    guard packet < count, let row = row(of: packet) else { return (0, 1) }
    return (Int(row.samples), Int(row.rate))
  }

  private func parts(before packet: Int) -> Int64 {
    guard let row = row(of: min(packet, count)) else { return 0 }
    return row.before &+ row.time(of: Int64(min(packet, count)) -| Int64(row.first))
  }

  /// Returns the total duration before packet number `packet`, in samples at `rate`; of all packets
  /// if `packet` is beyond the last.
  package func length(before packet: Int, atRate rate: Int) -> Double {
    Double(parts(before: packet)) * Double(rate) / Double(Self.partsOfSecond)
  }
}

extension PacketSampleCounts {
  /// Encodes the rows, usually in 3 bytes each.
  func write(to writer: inout VarintWriter) {
    writer.write(Int64(rows.count))
    var last = CountRun(first: 0, samples: 0, rate: 0, before: 0)
    for row in rows {
      let hasOtherRate = row.rate != last.rate
      writer.write(Int64(row.first - last.first) << 1 | (hasOtherRate ? 1 : 0))
      writer.write(Int64(row.samples) -| Int64(last.samples))
      if hasOtherRate { writer.write(Int64(row.rate)) }
      last = row
    }
  }

  /// Decodes the rows of `count` packets; returns `nil` for anything that ``write(to:)`` does not
  /// produce.
  init?(_ reader: inout VarintReader, count: Int) {
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
