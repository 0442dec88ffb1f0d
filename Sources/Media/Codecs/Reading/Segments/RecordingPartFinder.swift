import TesseraSystem

/// Finds the later parts of a WebM recording that was stored in the chunks of a browser's
/// MediaRecorder: numbered files of which only the first has a header.
///
/// The files are read as one file, like the segments of a playlist. A browser may cut anywhere,
/// even within an element. Parts are therefore identified by their names and by what they lack:
///
/// - The numbers follow each other, as in `part-000.webm` and `part-001.webm`.
/// - The first part is a live recording: its Matroska segment has no declared size.
/// - Later parts do not start like a media file, and their clusters do not start at zero, as those
///   of another recording with a destroyed header would.
///
/// Files that are being downloaded have no parts, because the downloader fetches named files only.
package enum RecordingPartFinder {
  /// Returns the paths of the parts after `path`, in order; empty if `path` is not the first part
  /// of such a recording.
  package static func following(_ path: String) -> [String] {
    let name = path.suffix(5).lowercased()
    guard name.hasSuffix(".webm") || name.hasSuffix(".mkv"), !PartialFile.isExpected(path) else {
      return []
    }
    let next = SegmentedFile.names(after: path)
    guard let second = next.first(where: { _ in true }), FileOperations.exists(second),
      isLive(path),
      lacksHeader(second), !startsAtZero(second)
    else { return [] }
    return Array(next.prefix(while: lacksHeader))
  }

  /// True if the file starts with an EBML header and a segment of unknown size (RFC 8794, section
  /// 6.2).
  private static func isLive(_ path: String) -> Bool {
    let head = (try? RegularFile.bytes(path, atMost: 128)) ?? []
    guard head.starts(with: header), let size = number(head.dropFirst(4)), let length = size.value
    else { return false }
    let segment = head.dropFirst(4 + size.count).dropFirst(length)
    guard segment.starts(with: [0x18, 0x53, 0x80, 0x67]),
      let size = number(segment.dropFirst(4))
    else { return false }
    return size.value == nil
  }

  /// True if the file exists and does not start like a media file.
  private static func lacksHeader(_ path: String) -> Bool {
    guard let head = try? RegularFile.bytes(path, atMost: 8), !head.isEmpty else { return false }
    return !starts.contains(where: head.starts) && !MovieBoxParser.begin(path)
  }

  /// True if the first cluster of the file has the timestamp 0.
  private static func startsAtZero(_ path: String) -> Bool {
    let bytes = (try? RegularFile.bytes(path, atMost: 1 << 20)) ?? []
    for start in bytes.indices
    where bytes[start] == cluster[0] && bytes[start...].starts(with: cluster) {
      let content = bytes[start...].dropFirst(cluster.count)
      guard let size = number(content), let time = content.dropFirst(size.count).first,
        time == 0xe7,
        let length = number(content.dropFirst(size.count + 1)), let count = length.value, count <= 8
      else { continue }
      let value = content.dropFirst(size.count + 1 + length.count).prefix(count)
      return value.count == count && value.allSatisfy { $0 == 0 }
    }
    return false
  }

  /// Reads the variable-length number at the start of `bytes`. A value of `nil` means unknown; the
  /// result is `nil` if there is no such number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> (value: Int?, count: Int)? {
    guard let first = bytes.first, first > 0, bytes.count > first.leadingZeroBitCount else {
      return nil
    }
    let count = first.leadingZeroBitCount + 1
    let mask = count == 8 ? 0 : 0xff >> UInt8(count)
    let value = bytes.prefix(count).dropFirst().reduce(Int(first & UInt8(mask))) {
      $0 << 8 | Int($1)
    }
    return (value == (1 << (7 * count)) - 1 ? nil : value, count)
  }

  /// The identifiers of the EBML header and of a cluster.
  private static let (header, cluster): ([UInt8], [UInt8]) = (
    [0x1a, 0x45, 0xdf, 0xa3], [0x1f, 0x43, 0xb6, 0x75]
  )

  /// The first bytes of media files that a `.webm` might really be, besides MP4.
  private static let starts =
    [header] + ["OggS", "RIFF", "ID3", "fLaC", "FLV"].map { Array($0.utf8) }
}
