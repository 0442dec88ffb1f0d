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
    walk(path).types.contains { $0.elementsEqual("moof".utf8) }
  }

  /// What is missing of the file, or not read of it, in words; nil where nothing is.
  static func damage(_ path: String) -> String? {
    let (types, missing) = walk(path)
    if missing > 0 { return "the file is cut off, and lacks at least \(missing) bytes" }
    let movies = types.count { $0.elementsEqual("moov".utf8) }
    guard movies > 1, !types.contains(where: { $0.elementsEqual("moof".utf8) }) else { return nil }
    return "another movie follows the first one in the file and is not read; make it a file of "
      + "its own"
  }

  /// The types of all boxes, four bytes each, and how many bytes of the last one are missing.
  private static func walk(_ path: String) -> (types: [ArraySlice<UInt8>], missing: Int) {
    guard let file = unsafe fopen(path, "rb") else { return ([], 0) }
    defer { unsafe fclose(file) }
    guard unsafe fseek(file, 0, SEEK_END) == 0 else { return ([], 0) }
    let end = unsafe ftell(file)
    var (types, offset) = ([ArraySlice<UInt8>](), 0)
    var header = [UInt8](repeating: 0, count: 16)
    while types.count < largestBoxCount, unsafe fseek(file, offset, SEEK_SET) == 0 {
      let count = unsafe header.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, 16, file) }
      guard count >= 8 else { break }
      let size = bigEndian(header[0..<4])
      let length = size == 1 && count == 16 ? bigEndian(header[8..<16]) : size
      // What is shorter than a header is no box: a last one without a length, or padding.
      guard length >= 8, length < 1 << 50 else { break }
      types.append(header[4..<8])
      offset += Int(length)
      guard offset > end else { continue }
      // What follows the last box may be anything.
      let isBox = firstTypes.contains(String(decoding: header[4..<8], as: UTF8.self))
      return (types, isBox ? offset - end : 0)
    }
    return (types, 0)
  }

  private static let largestBoxCount = 1 << 20

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
