import Glibc

/// What the end of a file tells that libav* does not, of formats that it reads up to where they
/// say that they end.
enum FileEnd {
  /// What is missing of the file, or not read of it, in words; nil where nothing is. Its last packet
  /// that was read ends at `lastByte`.
  static func damage(_ path: String, container: String, lastByte: Int64) -> String? {
    if container.hasPrefix("mov") { return MovieBoxes.damage(path) }
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    guard unsafe fseek(file, 0, SEEK_END) == 0 else { return nil }
    let size = Int64(unsafe ftell(file))
    let end = unsafe riffEnd(file, container)
    if let end, end - size > looseBytes {
      return cutOff(missing: end - size)
    }
    let follows = unsafe isFollowed(file, container, end: end, lastByte: lastByte)
    return follows
      ? "another recording follows the first one in the file and is not read; make it a file of "
        + "its own" : nil
  }

  /// Says that the file ends early.
  static func cutOff(missing: Int64) -> String {
    "the file is cut off, and lacks at least \(missing) bytes"
  }

  private static func isFollowed(
    _ file: UnsafeMutablePointer<FILE>, _ container: String, end: Int64?, lastByte: Int64
  ) -> Bool {
    if let end { return (0...1).contains { unsafe bytes(file, at: end + $0, count: 4) == riff } }
    guard let magic = beginnings[String(container.prefix { $0 != "," })], lastByte > 0 else {
      return false
    }
    return unsafe contains(magic, file, from: lastByte)
  }

  /// What files begin with, of formats whose demuxers do not go on with another file.
  private static let beginnings: [String: [UInt8]] = [
    "matroska": [0x1a, 0x45, 0xdf, 0xa3], "flv": Array("FLV\u{1}".utf8),
  ]
  private static let riff = Array("RIFF".utf8)

  /// Writers count the header or a byte of padding, or do not.
  private static let looseBytes: Int64 = 64

  /// Where a RIFF file says that it ends; nil where it does not say.
  private static func riffEnd(_ file: UnsafeMutablePointer<FILE>, _ container: String) -> Int64? {
    guard ["wav", "avi"].contains(container) else { return nil }
    let header = unsafe bytes(file, at: 0, count: 8)
    guard header.count == 8, header.starts(with: riff) else { return nil }
    let length = header[4...].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    // What recorders write before they know the length lies near the limits of 31 and 32 bits.
    return length > 0 && length < 0x7fff_0000 ? length + 8 : nil
  }

  private static func contains(
    _ magic: [UInt8], _ file: UnsafeMutablePointer<FILE>, from start: Int64
  ) -> Bool {
    var offset = start
    while true {
      let chunk = unsafe bytes(file, at: offset, count: 1 << 16)
      guard chunk.count >= magic.count else { return false }
      let last = chunk.count - magic.count
      if (0...last).contains(where: { chunk[$0...].starts(with: magic) }) { return true }
      offset += Int64(last + 1)
    }
  }

  private static func bytes(
    _ file: UnsafeMutablePointer<FILE>, at offset: Int64, count: Int
  ) -> [UInt8] {
    guard unsafe fseek(file, Int(offset), SEEK_SET) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = unsafe bytes.withUnsafeMutableBytes {
      unsafe fread($0.baseAddress, 1, count, file)
    }
    return Array(bytes.prefix(found))
  }
}
