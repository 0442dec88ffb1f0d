import Glibc
import TesseraSystem
import TesseraTimeline

/// What the end of a file shows that libav* does not, of formats that it reads up to where they
/// say that they end.
enum FileEnd {
  /// What is missing of the file, or not read of it; nil where nothing is. `isIncomplete` says
  /// whether packets could not be read, `lastByte` where the last one of them ends.
  static func loss(
    _ path: String, _ traits: ContainerTraits, isIncomplete: Bool, lastByte: Int64
  ) -> MediaLoss.Cause? {
    switch traits.end {
    case .boxes: return MovieBoxes.loss(path, isIncomplete: isIncomplete)
    case .unknown, .pages:
      guard traits.endsWithPackets, let count = FileIdentity.byteCount(of: path) else { return nil }
      let rest = count -| lastByte
      return rest > max(largestTail, count / 50) ? .unread(rest) : nil
    case .riff:
      let missing = missingOfRIFF(path)
      return missing > looseBytes ? .cutOff(missingBytes: missing) : nil
    }
  }

  /// Indexes and tags at the end of a file take less, or less than a fiftieth of it.
  private static let largestTail: Int64 = 1 << 16

  /// Writers count the header or a byte of padding, or do not.
  private static let looseBytes: Int64 = 64

  /// How many bytes a RIFF file lacks by its own word.
  private static func missingOfRIFF(_ path: String) -> Int64 {
    guard let file = unsafe RegularFile.stream(path) else { return 0 }
    defer { unsafe fclose(file) }
    var header = [UInt8](repeating: 0, count: 8)
    let count = unsafe header.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, 8, file) }
    guard count == 8, header.starts(with: Array("RIFF".utf8)),
      unsafe fseek(file, 0, SEEK_END) == 0
    else { return 0 }
    let length = header[4...].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    // What recorders write before they know the length lies near the limits of 31 and 32 bits.
    guard length > 0, length < 0x7fff_0000 else { return 0 }
    return length +| 8 -| Int64(unsafe ftell(file))
  }
}
