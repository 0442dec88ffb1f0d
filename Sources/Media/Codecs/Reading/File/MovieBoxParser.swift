import CTesseraFFmpeg
import Glibc
import TesseraSystem
import TesseraTimeline

/// Parses the top-level boxes of an ISO base media file (ISO 14496-12: MP4, MOV), without their
/// content.
package enum MovieBoxParser {
  /// True if the index (`moov`) precedes the media (`mdat`); `nil` without `moov`.
  package static func hasIndexFirst(_ path: String) -> Bool? { Contents(path).hasIndexFirst }

  /// True if the file starts with a box that MP4 files start with.
  static func begin(_ path: String) -> Bool {
    firstTypes.contains(firstType(path))
  }

  /// True if the file starts like a segment of fragmented MP4, without a `moov` box.
  static func isSegment(_ path: String) -> Bool {
    ["styp", "sidx", "moof"].contains(firstType(path))
  }

  private static func firstType(_ path: String) -> String {
    let head = (try? RegularFile.bytes(path, atMost: 8)) ?? []
    return String(decoding: head.dropFirst(4), as: UTF8.self)
  }

  /// Returns the initialization segment next to the segment at `path`: the only file in the folder
  /// with a `moov` box and no media. Returns `nil` if `path` is no segment, or if there is none or
  /// more than one.
  static func initialization(of path: String) -> String? {
    guard isSegment(path) else { return nil }
    let folder = path.folderPath
    let names = FileOperations.names(in: folder.isEmpty ? "." : folder)
    let found = names.prefix(mostNeighbors).filter { name in
      guard [".mp4", ".m4s"].contains(where: name.hasSuffix) else { return false }
      let contents = Contents(folder + name)
      return contents.movies == 1 && contents.fragments == 0 && !contents.hasMedia
    }
    return found.count == 1 && names.count <= mostNeighbors ? folder + found[0] : nil
  }

  /// The maximum number of folder entries among which an initialization segment is searched.
  private static let mostNeighbors = 10_000

  /// The types of boxes that may start a file.
  private static let firstTypes: Set = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx", "uuid",
  ]

  /// Returns the loss that the boxes show: truncation, unread bytes, or another recording; returns
  /// `nil` if there is none. An `mdat` that claims more bytes than exist is truncated only if
  /// `isIncomplete`.
  static func loss(_ path: String, isIncomplete: Bool) -> MediaLoss.Cause? {
    let contents = Contents(path)
    if contents.missing > 0 {
      return isIncomplete || contents.lastType != "mdat"
        ? .cutOff(missingBytes: Int64(contents.missing)) : nil
    }
    if contents.unread > 0 { return .unread(Int64(contents.unread)) }
    return contents.movies > 1 && contents.fragments == 0 ? .anotherRecordingFollows : nil
  }

  /// A summary of the top-level boxes.
  private struct Contents {
    /// The number of `moov` boxes.
    var movies = 0
    /// The number of `moof` boxes (fragments).
    var fragments = 0
    /// The number of bytes that the last box lacks, and its type.
    var (missing, lastType) = (0, "")
    /// The number of bytes after a fragment that are no boxes. Demuxers stop there.
    var unread = 0
    /// True if the first `moov` precedes the first `mdat`; `nil` if there is no `moov`.
    var hasIndexFirst: Bool?
    var hasMedia = false

    init(_ path: String) {
      guard let file = unsafe RegularFile.stream(path) else { return }
      defer { unsafe fclose(file) }
      guard unsafe fseek(file, 0, SEEK_END) == 0 else { return }
      let end = unsafe ftell(file)
      var offset = 0
      for _ in 0..<largestBoxCount {
        guard unsafe fseek(file, offset, SEEK_SET) == 0, let box = unsafe box(file),
          box.type.utf8.allSatisfy({ (32..<127).contains($0) || $0 == 0xa9 })
        else {
          if fragments > 0 { unread = max(0, end - offset) }
          return
        }
        if box.type == "mdat" { hasMedia = true }
        if box.type == "moov" {
          if movies == 0 { hasIndexFirst = !hasMedia }
          movies += 1
        }
        if box.type == "moof" { fragments += 1 }
        offset += box.length
        guard offset > end else { continue }
        // Trailing data after the last box may be anything.
        if firstTypes.contains(box.type) { (missing, lastType) = (offset - end, box.type) }
        return
      }
    }
  }

  /// Reads the header of the box at the current position of `file`; returns `nil` if there is no
  /// box.
  static func box(_ file: UnsafeMutablePointer<FILE>) -> (type: String, length: Int)? {
    var header = [UInt8](repeating: 0, count: 16)
    let count = unsafe header.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, 16, file) }
    guard count >= 8 else { return nil }
    let size = bigEndian(header[0..<4])
    let length = size == 1 && count == 16 ? bigEndian(header[8..<16]) : size
    // Shorter than a header: a last box without a length, or padding.
    guard length >= 8, length < 1 << 50 else { return nil }
    return (String(decoding: header[4..<8], as: UTF8.self), Int(length))
  }

  /// Clears the enabled flag of all caption tracks in the finished file at `path` (ISO 14496-12,
  /// section 8.3.2).
  static func disableCaptions(_ path: String) throws(FFmpegError) {
    func failure() -> FFmpegError {
      FFmpegError(code: cff_averror(errno), operation: "finish the file", path: path)
    }
    guard let file = unsafe fopen(path, "r+b") else { throw failure() }
    defer { unsafe fclose(file) }
    func contents(of range: Range<Int>, _ type: String) -> [Range<Int>] {
      var (found, offset) = ([Range<Int>](), range.lowerBound)
      while offset < range.upperBound, unsafe fseek(file, offset, SEEK_SET) == 0,
        let box = unsafe box(file)
      {
        if box.type == type { found.append(offset + 8..<max(offset + 8, offset +| box.length)) }
        offset = offset +| box.length
      }
      return found
    }
    for movie in contents(of: 0..<Int.max, "moov") {
      for track in contents(of: movie, "trak") {
        guard let head = contents(of: track, "tkhd").first,
          let media = contents(of: track, "mdia").first,
          let handler = contents(of: media, "hdlr").first
        else { continue }
        // The version, flags and a reserved word precede the handler type. The lowest of the 24
        // flags enables a track.
        var type = [UInt8](repeating: 0, count: 4)
        unsafe fseek(file, handler.lowerBound + 8, SEEK_SET)
        guard unsafe fread(&type, 1, 4, file) == 4, type == Array("sbtl".utf8) else { continue }
        unsafe fseek(file, head.lowerBound + 3, SEEK_SET)
        let flags = unsafe fgetc(file)
        unsafe fseek(file, head.lowerBound + 3, SEEK_SET)
        guard flags >= 0, unsafe fputc(flags & ~1, file) >= 0 else { throw failure() }
      }
    }
    guard unsafe fflush(file) == 0 else { throw failure() }
  }

  /// The maximum number of top-level boxes that are read.
  private static let largestBoxCount = 1 << 20

  static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
