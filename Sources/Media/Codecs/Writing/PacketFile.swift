import Foundation
import TesseraSystem

/// A file of one stream's encoded packets, checked and whole or not there at all: what a segment
/// of pictures or a soundtrack is until it becomes part of the output.
///
///     8 bytes   the letters TSRAPKT1
///     4         the length of the head, little-endian as all numbers
///               the head: ``Head`` as JSON
///     32 each   a packet: kind 1, flags, pieces of side data (2), size (4), PTS (8), DTS (8),
///               duration (8); then each piece of side data: kind (4), size (4), its bytes; then
///               the packet's bytes
///     8         the end: kind 2, three bytes of zero, the length of the tail (4)
///               the tail: ``Tail`` as JSON
///     16        the checksum, MurmurHash3, of all before
package enum PacketFile {
  /// What stands before the packets.
  package struct Head: Hashable, Sendable, Codable {
    /// What the packets were made from, as a digest: a reader that wants another one has to make the
    /// file again.
    package var digest: String
    /// Which of the segments it is; nil for a soundtrack.
    package var segment: Int?
    /// The frames of the timeline that it covers, or the samples.
    package var range: Range<Int64>
    /// The stream.
    package var parameters: StreamParameters

    /// The head of a file.
    package init(
      digest: String, segment: Int?, range: Range<Int64>, parameters: StreamParameters
    ) {
      (self.digest, self.segment, self.range) = (digest, segment, range)
      self.parameters = parameters
    }
  }

  /// What stands after them.
  package struct Tail: Hashable, Sendable, Codable {
    /// How many packets there are.
    package var packetCount: Int
    /// How many ticks decoding has to begin earlier than showing.
    package var delay: Int64
    /// What making them came to, in the words of the process that made them.
    package var note: String
  }

  /// Why a file cannot be used.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
      /// It cannot be read; the system's words.
      case unreadable(String)
      /// It is something else.
      case foreign
      /// It ends too early.
      case truncated
      /// It is not what was written.
      case damaged
      /// It was made from something else.
      case outdated
    }

    /// The file.
    package let path: String
    /// What is wrong with it.
    package let reason: Reason

    package var description: String {
      switch reason {
      case .unreadable(let why): "cannot read \(path): \(why)"
      case .foreign: "\(path) is not a file of packets"
      case .truncated: "\(path) ends too early"
      case .damaged: "\(path) is not what was written: its checksum is another one"
      case .outdated: "\(path) was made from other input"
      }
    }
  }

  static let magic = Array("TSRAPKT1".utf8)
  static let checksumSize = 16

  /// `bytes` with the checksum that a file of theirs ends with.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let content = Array(bytes.dropLast(checksumSize))
    guard let checksum = try? Checksum() else { return bytes }
    unsafe content.withUnsafeBytes { unsafe checksum.update($0) }
    return content + checksum.finish()
  }
  // The levels of sound are 1.4 MB an hour of a note.
  static let largestText = 256 << 20
  static let largestPacket = 256 << 20
  static let largestSideData = 1 << 20

  static func text(_ value: some Encodable) -> [UInt8] {
    Array(PlainJSON.bytes(value))
  }
}

extension Array<UInt8> {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for byte in 0..<(value.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
  }
}
