import CTesseraFFmpeg
import Glibc
import TesseraSystem
import TesseraTimeline

/// Checks the pages of an Ogg file (RFC 3533). libav* silently skips damaged pages and ignores a
/// truncated last one.
struct OggPageCheck {
  /// The byte ranges outside of intact pages, in ascending order.
  private(set) var damaged: [Range<Int64>] = []
  /// The number of bytes that the last page lacks.
  private(set) var missing: Int64 = 0

  private static let magic = Array("OggS".utf8)
  private static let headerLength = 27
  /// The maximum size of a page in bytes: a header, 255 segment sizes, and 255 segments of 255
  /// bytes.
  private static let longest = 27 + 255 + 255 * 255
  private static let bufferLength = 1 << 20

  init(_ path: String) {
    guard let file = unsafe RegularFile.stream(path) else { return }
    defer { unsafe fclose(file) }
    let size = FileIdentity.byteCount(of: path) ?? 0
    var (buffer, start) = ([UInt8](repeating: 0, count: Self.bufferLength), Int64(0))
    while start < size, unsafe fseek(file, Int(start), SEEK_SET) == 0 {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe fread($0.baseAddress, 1, $0.count, file)
      }
      guard count > 0 else { return }
      let isEnd = start +| Int64(count) >= size
      let passed = walk(buffer[..<count], at: start, isEnd: isEnd)
      // A file that shrinks meanwhile is reported by the readers.
      guard passed > 0 else { return }
      start = start +| Int64(passed)
    }
  }

  /// Checks the pages in `bytes`, which start at offset `start` of the file, and returns the number
  /// of bytes checked.
  private mutating func walk(_ bytes: ArraySlice<UInt8>, at start: Int64, isEnd: Bool) -> Int {
    var place = 0
    while place < bytes.count, isEnd || place + Self.longest <= bytes.count {
      let length = Self.length(ofPage: bytes[place...])
      if place + length <= bytes.count, Self.isWhole(bytes[place..<place + length]) {
        place += length
        continue
      }
      let next = Self.nextPage(in: bytes, after: place)
      if place + length > bytes.count, next == nil {
        missing = Int64(place + length - bytes.count)
        return bytes.count
      }
      let end = next ?? (isEnd ? bytes.count : bytes.count - 3)
      damage((start +| Int64(place))..<(start +| Int64(end)))
      place = end
    }
    return place
  }

  private mutating func damage(_ bytes: Range<Int64>) {
    if let last = damaged.last, last.upperBound == bytes.lowerBound {
      damaged[damaged.count - 1] = last.lowerBound..<bytes.upperBound
    } else {
      damaged.append(bytes)
    }
  }

  private static func nextPage(in bytes: ArraySlice<UInt8>, after place: Int) -> Int? {
    var next = place + 1
    while let found = bytes[min(next, bytes.count)...].firstIndex(of: magic[0]) {
      if bytes[found...].starts(with: magic) { return found }
      next = found + 1
    }
    return nil
  }

  /// Returns the minimum length of the page at the start of `bytes`; 0 if there is no page.
  private static func length(ofPage bytes: ArraySlice<UInt8>) -> Int {
    guard bytes.starts(with: magic) else { return 0 }
    guard bytes.count >= headerLength else { return headerLength }
    let body = headerLength + Int(bytes[bytes.startIndex + headerLength - 1])
    return bytes.dropFirst(headerLength).prefix(body - headerLength).reduce(body) { $0 + Int($1) }
  }

  /// True if the page matches its checksum. The checksum field counts as 0.
  private static func isWhole(_ page: ArraySlice<UInt8>) -> Bool {
    guard page.count >= headerLength else { return false }
    return unsafe page.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      let base = unsafe start.assumingMemoryBound(to: UInt8.self)
      let table = unsafe av_crc_get_table(AV_CRC_32_IEEE)
      var sum = unsafe av_crc(table, 0, base, 22)
      sum = unsafe av_crc(table, sum, [0, 0, 0, 0], 4)
      sum = unsafe av_crc(table, sum, base + 26, bytes.count - 26)
      let written = unsafe bytes.loadUnaligned(fromByteOffset: 22, as: UInt32.self)
      return sum == UInt32(bigEndian: written)
    }
  }
}
