import Foundation
import Glibc
import SystemPackage
import TesseraSystem

/// A hash of a media file inside a tag of the same file: `Tessera 0.1.0 (0123456789abcdef)`.
///
/// The digits are the first 16 of the SHA-256 of the file, with the digits themselves set to zeros,
/// and also the container checksum (Matroska, Ogg) of the bytes around them. A muxer writes
/// ``blank``; ``write(to:)`` replaces its digits in the finished file.
struct EmbeddedHash {
  private static let (opening, digitCount) = (" (", 16)
  /// The end of the tag before the hash is known.
  static let blank = opening + String(repeating: "0", count: digitCount) + ")"

  private let path: String
  private let place: Range<Int>
  private let digits: [UInt8]
  private let checksum: ContainerChecksum?

  /// Finds the hash in the file at `path`; nil if its tags have none.
  init?(_ path: String) {
    guard let file = try? RegularFile(path) else { return nil }
    var found: (offset: Int, range: Range<Int>, data: Data)?
    for (offset, count) in OutputMark.tagPlaces(file) where found == nil {
      guard let bytes = try? file.bytes(count, from: offset) else { continue }
      let data = Data(bytes)
      found = Self.digits(in: data).map { (offset, $0, data) }
    }
    guard let found else { return nil }
    self.path = path
    digits = Array(found.data[found.range])
    place = found.offset + found.range.lowerBound..<found.offset + found.range.upperBound
    checksum = found.offset == 0 ? ContainerChecksum(of: found.range, in: found.data) : nil
  }

  private static func digits(in data: Data) -> Range<Int>? {
    var rest = data[...]
    while let found = rest.range(of: Data(TesseraVersion.program.utf8)) {
      rest = rest[found.upperBound...]
      let tail = rest.drop { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
      let digits = tail.dropFirst(opening.utf8.count).prefix(digitCount)
      if tail.startIndex > rest.startIndex, tail.starts(with: opening.utf8),
        digits.count == digitCount,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      {
        return digits.indices
      }
    }
    return nil
  }

  private var isBlank: Bool { digits.allSatisfy { $0 == UInt8(ascii: "0") } }

  /// True if the file was changed since ``write(to:)`` sealed it.
  var isBroken: Bool { !isBlank && digits != digest() }

  /// Writes the hash into the finished file, through `descriptor`. Does nothing if the seal is not
  /// blank.
  func write(to descriptor: CInt) throws(SystemError) {
    guard isBlank, let digest = digest() else { return }
    do {
      let file = FileDescriptor(rawValue: descriptor)
      try file.writeAll(toAbsoluteOffset: Int64(place.lowerBound), digest)
      guard let checksum else { return }
      let covered = try RegularFile(path).bytes(
        checksum.covered.count, from: checksum.covered.lowerBound)
      let value = checksum.value(of: covered)
      try file.writeAll(
        toAbsoluteOffset: Int64(checksum.place.lowerBound),
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    } catch let error as SystemError {
      throw error
    } catch {
      throw SystemError("write", path, number: (error as? Errno)?.rawValue ?? EIO)
    }
  }

  /// Computes the digits that the file should have; nil if it cannot be read.
  private func digest() -> [UInt8]? {
    guard let file = try? RegularFile(path) else { return nil }
    let (hash, blanks) = (SHA256(), [place] + [checksum?.place].compactMap(\.self))
    var offset = 0
    while var block = try? file.bytes(1 << 20, from: offset) {
      guard !block.isEmpty else {
        return Array(hash.finish().hexadecimal.utf8.prefix(Self.digitCount))
      }
      for blank in blanks {
        for index in blank.clamped(to: offset..<offset + block.count) { block[index - offset] = 0 }
      }
      hash.update(block)
      offset += block.count
    }
    return nil
  }
}

/// The checksum that a container stores for the bytes around a tag.
private struct ContainerChecksum {
  /// The offsets of the checksum's four bytes, the lowest first.
  let place: Range<Int>
  /// The offsets of the covered bytes. In Ogg they include the checksum itself, which counts as
  /// zeros.
  let covered: Range<Int>
  private let isOgg: Bool

  private static let (matroska, ogg): ([UInt8], [UInt8]) = (
    [0x1a, 0x45, 0xdf, 0xa3], Array("OggS".utf8)
  )
  /// The Matroska element that contains all others except the EBML header.
  private static let segment = 0x1853_8067

  /// Finds the checksum that covers the bytes `range` of a file that begins with `head`; nil if
  /// there is none.
  init?(of range: Range<Int>, in head: Data) {
    isOgg = head.starts(with: Self.ogg)
    if isOgg {
      // RFC 3533, section 6: a page with its number of segments at 26, then their sizes.
      guard
        let page = head[..<range.lowerBound].range(of: Data(Self.ogg), options: .backwards)?
          .lowerBound
      else { return nil }
      let sizes = page + 27..<page + 27 + Int(head[min(page + 26, range.lowerBound)])
      guard sizes.upperBound <= head.count else { return nil }
      place = page + 22..<page + 26
      covered = page..<sizes.upperBound + head[sizes].reduce(0) { $0 + Int($1) }
    } else {
      guard head.starts(with: Self.matroska) else { return nil }
      var (offset, found) = (0, Range<Int>?.none)
      while found == nil, let (id, content) = Self.element(in: head, at: offset) {
        if id == Self.segment {
          offset = content.lowerBound
        } else if content.upperBound <= range.lowerBound {
          offset = content.upperBound
        } else {
          found = content
        }
      }
      // RFC 8794, section 11.3.1: a CRC-32 is the first child of its element.
      guard let found, found.count > 6, head[found.lowerBound...].starts(with: [0xbf, 0x84]) else {
        return nil
      }
      place = found.lowerBound + 2..<found.lowerBound + 6
      covered = place.upperBound..<found.upperBound
    }
    guard covered.lowerBound <= range.lowerBound, range.upperBound <= covered.upperBound,
      covered.count < 1 << 24
    else { return nil }
  }

  /// Parses the EBML element at `offset`.
  private static func element(in head: Data, at offset: Int) -> (id: Int, content: Range<Int>)? {
    func number(at offset: Int, marked: Bool) -> (value: Int, end: Int)? {
      guard offset < head.count, head[offset] > 0 else { return nil }
      let end = offset + head[offset].leadingZeroBitCount + 1
      guard end <= head.count else { return nil }
      let bytes = head[offset..<end].reduce(0) { $0 << 8 | UInt64($1) }
      let mask: UInt64 = marked ? .max : 1 << UInt64(7 * (end - offset)) - 1
      return (Int(truncatingIfNeeded: bytes & mask), end)
    }
    guard let id = number(at: offset, marked: true), let size = number(at: id.end, marked: false)
    else { return nil }
    return (id.value, size.end..<size.end + size.value)
  }

  /// Computes the checksum of `bytes`: CRC-32, with the highest bit first for Ogg and the lowest
  /// first for Matroska.
  func value(of bytes: [UInt8]) -> UInt32 {
    var (value, bytes) = (isOgg ? 0 : UInt32.max, bytes)
    if isOgg { for index in bytes.indices.dropFirst(22).prefix(4) { bytes[index] = 0 } }
    for byte in bytes {
      value ^= isOgg ? UInt32(byte) << 24 : UInt32(byte)
      for _ in 0..<8 {
        value =
          isOgg
          ? value << 1 ^ ((value >> 31) * 0x04c1_1db7) : value >> 1 ^ ((value & 1) * 0xedb8_8320)
      }
    }
    return isOgg ? value : ~value
  }
}
