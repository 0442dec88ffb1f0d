import CTesseraFFmpeg
import Foundation
import Glibc
import SystemPackage
import TesseraSystem
import TesseraTimeline

/// Writes a ``PacketFile`` under a temporary name and renames it when it is complete.
package struct PacketFileWriter: ~Copyable {
  /// The path of the finished file.
  package let path: String
  private let file: TemporaryFile
  private let checksum: MurmurHash3
  private let head: PacketFile.Header
  private var buffer: [UInt8] = []
  private var packetCount = 0
  private var delay: Int64
  private var isCommitted = false

  private static let bufferSize = 1 << 20

  private init(
    path: String, file: TemporaryFile, checksum: consuming MurmurHash3, head: PacketFile.Header
  ) {
    (self.path, self.file) = (path, file)
    self.checksum = checksum
    self.head = head
    delay = Int64(head.parameters.delay)
  }

  deinit { if !isCommitted { FileOperations.remove(file.path) } }

  /// Creates the file that will appear at `path`.
  ///
  /// - Throws: ``FFmpegError`` if the file cannot be created. Its ``FFmpegError/isOutOfSpace``
  ///   reports a full disk, as for all errors of this type.
  package static func create(
    _ path: String, head: PacketFile.Header
  ) throws(FFmpegError) -> PacketFileWriter {
    let checksum = try MurmurHash3()
    let file: TemporaryFile
    do throws(SystemError) {
      file = try TemporaryFile.make(for: path)
    } catch {
      throw failure(error.number, path)
    }
    var writer = PacketFileWriter(path: path, file: file, checksum: checksum, head: head)
    let text = PacketFile.text(head)
    writer.buffer = PacketFile.magic
    writer.buffer.append(littleEndian: UInt32(text.count))
    writer.buffer += text
    return writer
  }

  private static func failure(_ number: CInt, _ path: String) -> FFmpegError {
    FFmpegError(code: cff_averror(number), operation: "write the file", path: path)
  }

  /// Writes the next packet. Packets of a segment whose presentation timestamp is outside of its
  /// range are skipped.
  package mutating func append(_ packet: EncodedPacket) throws(FFmpegError) {
    let raw = unsafe packet.packet.raw
    let base = head.parameters.timeBase.rational
    let scaled = { (ticks: Int64) in
      ticks == CFF_NOPTS ? ticks : av_rescale_q(ticks, packet.timeBase, base)
    }
    let (presentation, decoding) = (scaled(unsafe raw.pointee.pts), scaled(unsafe raw.pointee.dts))
    guard head.segment == nil || head.range.contains(presentation) else { return }
    // The position in decoding order relative to that in presentation order, from the start of the
    // range. The encoder's decoding timestamps are not used: those of libx265 are arbitrary if
    // there are fewer frames than its look-ahead.
    if head.segment != nil {
      delay = max(delay, head.range.lowerBound +| Int64(packetCount) -| presentation)
    }
    let sideData = unsafe Self.sideData(of: raw)
    buffer.append(1)
    buffer.append(UInt8(truncatingIfNeeded: unsafe raw.pointee.flags))
    buffer.append(littleEndian: UInt16(sideData.count))
    buffer.append(littleEndian: UInt32(unsafe raw.pointee.size))
    buffer.append(littleEndian: presentation)
    buffer.append(littleEndian: decoding)
    buffer.append(littleEndian: scaled(unsafe raw.pointee.duration))
    for piece in sideData {
      buffer.append(littleEndian: piece.kind)
      buffer.append(littleEndian: UInt32(piece.bytes.count))
      buffer += piece.bytes
    }
    if unsafe raw.pointee.size > 0 {
      unsafe buffer.append(
        contentsOf: UnsafeBufferPointer(start: raw.pointee.data, count: Int(raw.pointee.size)))
    }
    packetCount += 1
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// The side data that a muxer needs. The rest is encoder statistics.
  @unsafe private static func sideData(
    of raw: UnsafeMutablePointer<AVPacket>
  ) -> [(kind: UInt32, bytes: [UInt8])] {
    [AV_PKT_DATA_SKIP_SAMPLES, AV_PKT_DATA_NEW_EXTRADATA].compactMap { kind in
      var size = 0
      guard let data = unsafe av_packet_get_side_data(raw, kind, &size),
        size > 0, size <= PacketFile.largestSideData
      else { return nil }
      return unsafe (kind.rawValue, Array(UnsafeBufferPointer(start: data, count: size)))
    }
  }

  private mutating func flush() throws(FFmpegError) {
    let number: CInt? = unsafe buffer.withUnsafeBytes { bytes in
      unsafe checksum.update(bytes)
      return unsafe FileDescriptor.write(bytes, to: file.descriptor)
    }
    buffer.removeAll(keepingCapacity: true)
    if let number { throw Self.failure(number, path) }
  }

  /// Writes the end with `note` and renames the file to ``path``, replacing an existing one.
  package mutating func finish(note: String) throws(FFmpegError) {
    let tail = PacketFile.Trailer(packetCount: packetCount, delay: delay, note: note)
    let text = PacketFile.text(tail)
    buffer += [2, 0, 0, 0]
    buffer.append(littleEndian: UInt32(text.count))
    buffer += text
    try flush()
    if let number = FileDescriptor.write(Data(checksum.finish()), to: file.descriptor) {
      throw Self.failure(number, path)
    }
    guard unsafe rename(file.path, path) == 0 else { throw Self.failure(errno, path) }
    isCommitted = true
  }
}
