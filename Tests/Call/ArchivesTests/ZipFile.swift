import Foundation
import TestSupport

/// Writes .zip archives byte by byte, including invalid ones.
struct ZipFile {
  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  /// Adds an entry; `method` 8 compresses, 0 stores.
  mutating func add(
    _ name: String, _ data: [UInt8], method: UInt16 = 0, mode: UInt32 = 0o100644,
    claimedSize: UInt32? = nil
  ) {
    let packed = method == 8 ? Self.deflated(data) : data
    let size = claimedSize ?? UInt32(data.count)
    let offset = UInt32(bytes.count)
    let name = Array(name.utf8)
    // UTF-8 names.
    var common = Self.little(UInt16(20)) + Self.little(UInt16(0x800)) + Self.little(method)
    common += Self.little(UInt32(0)) + Self.little(Self.checksum(data))
    common += Self.little(UInt32(packed.count)) + Self.little(size)
    common += Self.little(UInt16(name.count)) + Self.little(UInt16(0))
    bytes += Self.little(UInt32(0x0403_4b50)) + common + name + packed
    // Created on a system with Unix modes.
    directory += Self.little(UInt32(0x0201_4b50)) + Self.little(UInt16(3 << 8 | 20)) + common
    directory += Self.little(UInt16(0)) + Self.little(UInt16(0)) + Self.little(UInt16(0))
    directory += Self.little(mode << 16) + Self.little(offset) + name
    count += 1
  }

  /// Writes the archive to `path`, and returns `path`.
  func write(_ path: String) throws -> String {
    var end = Self.little(UInt32(0x0605_4b50)) + Self.little(UInt32(0))
    end += Self.little(UInt16(count)) + Self.little(UInt16(count))
    end += Self.little(UInt32(directory.count)) + Self.little(UInt32(bytes.count))
    end += Self.little(UInt16(0))
    try Data(bytes + directory + end).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static func little<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
    }
  }

  private static func checksum(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }

  /// Compresses runs of equal bytes with Deflate's fixed codes: a literal, then copies of 258 bytes
  /// at distance 1. Other bytes are literals.
  private static func deflated(_ data: [UInt8]) -> [UInt8] {
    var bits = Bits()
    bits.put(1, 1)
    bits.put(1, 2)
    var index = 0
    while index < data.count {
      bits.literal(data[index])
      let run = data[(index + 1)...].prefix(2_000_000_000).prefix { $0 == data[index] }.count
      index += 1
      for _ in 0..<run / 258 {
        // Length 258 is code 285: 8 bits from 192 on. Distance 1 is code 0 with five bits.
        bits.putReversed(192 + 285 - 280, 8)
        bits.put(0, 5)
      }
      index += run / 258 * 258
    }
    bits.putReversed(0, 7)
    return bits.bytes
  }

  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func put(_ value: Int, _ count: Int) {
      for bit in 0..<count {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
        used += 1
      }
    }

    mutating func putReversed(_ code: Int, _ count: Int) {
      for bit in (0..<count).reversed() { put(code >> bit & 1, 1) }
    }

    mutating func literal(_ byte: UInt8) {
      if byte < 144 {
        putReversed(0x30 + Int(byte), 8)
      } else {
        putReversed(0x190 + Int(byte) - 144, 9)
      }
    }
  }
}
