import Foundation
package import TesseraMessages
import TesseraSystem

/// The format of a file with one stream's encoded packets: a segment of video, or the soundtrack,
/// before muxing. Protected by a checksum; appears under its name only when complete.
///
///     8 bytes   the letters TSRAPKT1
///     4         the length of the head; all numbers are little-endian
///               the head: ``Header`` as JSON
///     32 each   a packet: kind 1, flags, number of side data (2), size (4), PTS (8), DTS (8),
///               duration (8); then each piece of side data: type (4), size (4), its bytes; then
///               the packet's bytes
///     8         the end: kind 2, three zero bytes, the length of the tail (4)
///               the tail: ``Trailer`` as JSON
///     16        the checksum, MurmurHash3, of everything before
package enum PacketFile {
  /// The metadata before the packets.
  package struct Header: Hashable, Sendable, Codable {
    /// The digest of the recipe that the packets were made from. A reader that expects another
    /// digest must have the file made again.
    package var digest: String
    /// The number of the segment; `nil` for a soundtrack.
    package var segment: Int?
    /// The frames of the timeline that the file covers, or the samples of a soundtrack.
    package var range: Range<Int64>
    package var parameters: CodecParameters

    package init(
      digest: String, segment: Int?, range: Range<Int64>, parameters: CodecParameters
    ) {
      (self.digest, self.segment, self.range) = (digest, segment, range)
      self.parameters = parameters
    }
  }

  /// The metadata after the packets.
  package struct Trailer: Hashable, Sendable, Codable {
    package var packetCount: Int
    /// The number of ticks by which decoding must precede presentation.
    package var delay: Int64
    /// The report of the process that made the packets, in its own format.
    package var note: String
  }

  /// The error that a packet file is unreadable, damaged or outdated.
  package struct OpenError: Error, Hashable, Sendable, MessageConvertible, CustomStringConvertible {
    /// The reason why a packet file cannot be used.
    package enum Reason: Hashable, Sendable {
      /// The file cannot be read; the operating system's message.
      case unreadable(String)
      /// The file is not a packet file.
      case foreign
      case truncated
      /// The checksum does not match.
      case damaged
      /// The file has another digest than expected.
      case outdated
    }

    package let path: String
    package let reason: Reason

    package var sentence: UserMessage {
      switch reason {
      case .unreadable(let why): "cannot read \(file: path): \(why)"
      case .foreign: "\(file: path) is not a file of packets"
      case .truncated: "\(file: path) ends too early"
      case .damaged: "\(file: path) differs from what was written: its checksum is wrong"
      case .outdated: "\(file: path) was made from other input"
      }
    }
  }

  static let magic = Array("TSRAPKT1".utf8)
  static let checksumSize = 16

  /// Returns `bytes` with the last 16 replaced by the matching checksum. Lets fuzzing change a file
  /// and still reach its parser.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let content = Array(bytes.dropLast(checksumSize))
    guard let checksum = try? MurmurHash3() else { return bytes }
    unsafe content.withUnsafeBytes { unsafe checksum.update($0) }
    return content + checksum.finish()
  }
  // The sound levels of a proof take 1.4 MB per hour in a tail's note.
  static let largestText = 256 << 20
  static let largestPacket = 256 << 20
  static let largestSideData = 1 << 20

  static func text(_ value: some Encodable) -> [UInt8] {
    Array(CanonicalJSON.bytes(value))
  }
}

extension Array<UInt8> {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for byte in 0..<(value.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
  }
}
