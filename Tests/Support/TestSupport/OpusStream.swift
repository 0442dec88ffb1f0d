import Foundation

/// The packets of an Ogg Opus file with 20 ms each. Some of them can be omitted when the file is
/// written again, as after packet loss.
public struct OpusStream {
  /// The identification header and the comment header.
  public var headers: [[UInt8]] = []
  /// The audio packets.
  public var packets: [[UInt8]] = []

  /// The number of samples per channel in each packet.
  public static let length = 960

  /// Reads the stream from the file at `path`.
  public init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var (page, packet, all): (Int, [UInt8], [[UInt8]]) = (0, [], [])
    while page + 27 <= bytes.count {
      let lacing = bytes[page + 27..<page + 27 + Int(bytes[page + 26])]
      var start = lacing.endIndex
      for size in lacing {
        packet += bytes[start..<start + Int(size)]
        start += Int(size)
        if size < 255 {
          all.append(packet)
          packet = []
        }
      }
      page = start
    }
    (headers, packets) = (Array(all[..<2]), Array(all[2...]))
  }

  /// Writes all packets except `lost`, at their times, to the file at `path`.
  public func write(_ path: String, without lost: Set<Int> = []) throws {
    var data: [UInt8] = []
    var number = 0
    func write(_ packet: [UInt8], _ flags: UInt8, _ granule: Int) {
      data += Self.page(packet, flags: flags, granule: granule, number: number)
      number += 1
    }
    write(headers[0], 2, 0)
    write(headers[1], 0, 0)
    for index in packets.indices where !lost.contains(index) {
      let isLast = index == packets.count - 1
      write(packets[index], isLast ? 4 : 0, (index + 1) * Self.length)
    }
    try Data(data).write(to: URL(filePath: path))
  }

  private static func page(
    _ packet: [UInt8], flags: UInt8, granule: Int, number: Int
  ) -> [UInt8] {
    let lacing =
      [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    var page = Array("OggS".utf8) + [0, flags]
    page += (0..<8).map { UInt8(truncatingIfNeeded: granule >> (8 * $0)) } + [1, 0, 0, 0]
    page += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + [0, 0, 0, 0]
    page += [UInt8(lacing.count)] + lacing + packet
    var sum: UInt32 = 0
    for byte in page {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04c1_1db7 : sum << 1 }
    }
    for place in 0..<4 { page[22 + place] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(place))) }
    return page
  }
}
