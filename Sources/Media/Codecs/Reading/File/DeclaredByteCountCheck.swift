import TesseraSystem
import TesseraTimeline

/// Detects truncation that libav* does not report, in formats that declare their length.
enum DeclaredByteCountCheck {
  /// Returns the loss at the end of the file: truncated, or not read completely; returns `nil` if
  /// there is none. `isIncomplete` is true if packets could not be read; `lastByte` is the end of
  /// the last packet.
  static func loss(
    _ path: String, _ traits: ContainerTraits, isIncomplete: Bool, lastByte: Int64
  ) -> MediaLoss.Cause? {
    switch traits.end {
    case .boxes: return MovieBoxParser.loss(path, isIncomplete: isIncomplete)
    case .unknown, .pages:
      guard traits.endsWithPackets, let count = FileIdentity.byteCount(of: path) else { return nil }
      let rest = count -| lastByte
      return rest > max(largestTail, count / 50) ? .unread(rest) : nil
    case .riff:
      let missing = missingOfRIFF(path)
      return missing > looseBytes ? .cutOff(missingBytes: missing) : nil
    }
  }

  /// The size in bytes that an index and tags at the end of a file may have; a fiftieth of the file
  /// is accepted too.
  private static let largestTail: Int64 = 1 << 16

  /// The tolerated difference in bytes, because some writers count the header or a padding byte and
  /// others do not.
  private static let looseBytes: Int64 = 64

  /// Returns the number of bytes that a RIFF file lacks compared to the length in its header.
  private static func missingOfRIFF(_ path: String) -> Int64 {
    guard let header = try? RegularFile.bytes(path, atMost: 8), header.count == 8,
      header.starts(with: Array("RIFF".utf8))
    else { return 0 }
    let length = header[4...].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    // The placeholders that recorders write before the length is known are near 2^31 or 2^32.
    guard length > 0, length < 0x7fff_0000 else { return 0 }
    return length +| 8 -| Int64(FileOperations.byteCount(of: path))
  }
}
