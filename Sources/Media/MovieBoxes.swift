import Glibc

/// The outermost boxes of an ISO base media file (ISO 14496-12), without their content.
enum MovieBoxes {
  /// Whether the file begins with a box that movies begin with.
  static func begin(_ path: String) -> Bool {
    guard let file = unsafe fopen(path, "rb") else { return false }
    defer { unsafe fclose(file) }
    var header = [UInt8](repeating: 0, count: 8)
    let count = unsafe header.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, 8, file) }
    return count == 8 && firstTypes.contains(String(decoding: header[4...], as: UTF8.self))
  }

  private static let firstTypes: Set = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx", "uuid",
  ]

  /// Whether the file consists of movie fragments.
  static func hasFragments(_ path: String) -> Bool {
    guard let file = unsafe fopen(path, "rb") else { return false }
    defer { unsafe fclose(file) }
    var header = [UInt8](repeating: 0, count: 16)
    for _ in 0..<largestBoxCount {
      let count = unsafe header.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, 16, file) }
      guard count >= 8 else { return false }
      if header[4..<8].elementsEqual("moof".utf8) { return true }
      let size = bigEndian(header[0..<4])
      let isLarge = size == 1
      let length = isLarge && count == 16 ? bigEndian(header[8..<16]) : size
      guard length >= 8, length < 1 << 50 else { return false }
      let skipped = Int(length) - count
      guard unsafe fseek(file, skipped, SEEK_CUR) == 0 else { return false }
    }
    return false
  }

  /// Fragments follow the header at once in every recorder's files.
  private static let largestBoxCount = 64

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
