import CTesseraFFmpeg
import Foundation
import Glibc
import TesseraSystem

/// Reads a ``PacketFile`` after verifying its checksum.
package struct PacketFileReader: ~Copyable {
  package let path: String
  /// The metadata before the packets.
  package let head: PacketFile.Header
  /// The metadata after the packets.
  package let tail: PacketFile.Trailer
  /// The presentation timestamps of a segment's keyframes, in file order; empty for a soundtrack.
  package let keyframes: [Int64]
  private let bytes: Data
  private var position: Int
  private let end: Int

  /// Opens the file and verifies all of it.
  ///
  /// - Throws: ``PacketFile/OpenError`` if the file is incomplete or damaged, or if `digest` is
  ///   given and does not match.
  package init(_ path: String, digest: String? = nil) throws(PacketFile.OpenError) {
    let refusal = { (reason: PacketFile.OpenError.Reason) in
      PacketFile.OpenError(path: path, reason: reason)
    }
    let bytes: Data
    do throws(SystemError) {
      bytes = try FileOperations.map(path)
    } catch {
      throw refusal(.unreadable(error.reason))
    }
    var cursor = ByteCursor(bytes)
    guard cursor.take(PacketFile.magic.count).map(Array.init) == PacketFile.magic else {
      throw refusal(bytes.count < PacketFile.magic.count ? .truncated : .foreign)
    }
    guard let text = cursor.takeText() else { throw refusal(.truncated) }
    guard let head = CanonicalJSON.value(text, as: PacketFile.Header.self) else {
      throw refusal(.foreign)
    }
    if let digest, head.digest != digest { throw refusal(.outdated) }
    let start = cursor.position
    var (count, keyframes) = (0, [Int64]())
    while cursor.peek == 1 {
      guard let packet = cursor.skipPacket() else { throw refusal(.truncated) }
      if packet.isKeyframe, head.segment != nil { keyframes.append(packet.presentation) }
      count += 1
    }
    let end = cursor.position
    guard cursor.take(4).map(Array.init) == [2, 0, 0, 0] else {
      throw refusal(cursor.isAtEnd ? .truncated : .damaged)
    }
    guard let text = cursor.takeText() else { throw refusal(.truncated) }
    let checked = cursor.position
    guard let sum = cursor.take(PacketFile.checksumSize) else { throw refusal(.truncated) }
    guard cursor.isAtEnd, let checksum = try? MurmurHash3() else { throw refusal(.damaged) }
    unsafe bytes.withUnsafeBytes { all in
      unsafe checksum.update(UnsafeRawBufferPointer(rebasing: all[..<checked]))
    }
    guard Array(sum) == checksum.finish(),
      let tail = try? JSONDecoder().decode(PacketFile.Trailer.self, from: text),
      tail.packetCount == count
    else { throw refusal(.damaged) }
    (self.path, self.head, self.tail, self.bytes) = (path, head, tail, bytes)
    (position, self.end) = (start, end)
    self.keyframes = keyframes
  }

  /// Returns the next packet; returns `nil` after the last one.
  package mutating func next() throws(FFmpegError) -> EncodedPacket? {
    guard position < end else { return nil }
    var cursor = ByteCursor(bytes, at: position)
    guard let header = cursor.takePacketHeader() else { return nil }
    let packet = try Packet.allocate()
    let raw = unsafe packet.raw
    for _ in 0..<header.pieces {
      let kind = AVPacketSideDataType(cursor.takeNumber(UInt32.self) ?? 0)
      let piece = cursor.take(Int(cursor.takeNumber(UInt32.self) ?? 0)) ?? Data()
      guard let target = unsafe av_packet_new_side_data(raw, kind, piece.count) else {
        throw .outOfMemory("read a packet", path)
      }
      unsafe piece.copyBytes(to: target, count: piece.count)
    }
    if let payload = cursor.take(header.size), header.size > 0 {
      // Unlike `av_new_packet`, keeps the side data.
      try check(unsafe av_grow_packet(raw, CInt(header.size)), "read a packet", path)
      unsafe payload.copyBytes(to: raw.pointee.data, count: header.size)
    }
    unsafe raw.pointee.flags = CInt(header.flags)
    unsafe (raw.pointee.pts, raw.pointee.dts) = (header.presentation, header.decoding)
    unsafe raw.pointee.duration = header.duration
    position = cursor.position
    return EncodedPacket(packet, timeBase: head.parameters.timeBase.rational)
  }
}

/// A cursor over bytes with bounds checks.
private struct ByteCursor {
  private let bytes: Data
  private(set) var position: Int

  init(_ bytes: Data, at position: Int = 0) {
    (self.bytes, self.position) = (bytes, position)
  }

  var isAtEnd: Bool { position == bytes.count }
  var peek: UInt8? { position < bytes.count ? bytes[bytes.startIndex + position] : nil }

  mutating func take(_ count: Int) -> Data? {
    guard count >= 0, count <= bytes.count - position else {
      position = bytes.count
      return nil
    }
    defer { position += count }
    let start = bytes.startIndex + position
    return bytes[start..<(start + count)]
  }

  mutating func takeNumber<T: FixedWidthInteger>(_: T.Type) -> T? {
    take(T.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
  }

  mutating func takeText() -> Data? {
    guard let count = takeNumber(UInt32.self), count <= PacketFile.largestText else { return nil }
    return take(Int(count))
  }

  /// Reads the fixed-size header of a packet; returns `nil` if it is truncated or exceeds the
  /// limits.
  mutating func takePacketHeader() -> PacketHeader? {
    guard takeNumber(UInt8.self) != nil, let flags = takeNumber(UInt8.self),
      let pieces = takeNumber(UInt16.self), let size = takeNumber(UInt32.self),
      size <= PacketFile.largestPacket, let presentation = takeNumber(Int64.self),
      let decoding = takeNumber(Int64.self), let duration = takeNumber(Int64.self)
    else { return nil }
    return PacketHeader(
      flags: flags, pieces: Int(pieces), size: Int(size), presentation: presentation,
      decoding: decoding, duration: duration)
  }

  /// Skips a packet and returns its header; returns `nil` if the packet is truncated.
  mutating func skipPacket() -> PacketHeader? {
    guard let header = takePacketHeader() else { return nil }
    for _ in 0..<header.pieces {
      guard take(4) != nil, let size = takeNumber(UInt32.self),
        size <= PacketFile.largestSideData, take(Int(size)) != nil
      else { return nil }
    }
    return take(header.size) != nil ? header : nil
  }
}

/// The fixed-size header of a packet in a ``PacketFile``.
private struct PacketHeader {
  var flags: UInt8
  var pieces: Int
  var size: Int
  var presentation: Int64
  var decoding: Int64
  var duration: Int64

  var isKeyframe: Bool { CInt(flags) & AV_PKT_FLAG_KEY != 0 }
}
