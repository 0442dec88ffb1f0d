package import TesseraPixels

/// The header of an image file, parsed without decoding the image.
package struct StillHeader: Equatable {
  enum Format: Equatable {
    case png
    case jpeg
    case webp
    case gif
  }

  var format: Format
  /// The width and height as coded, before EXIF rotation.
  var size: PixelSize
  /// True if the file contains more than one frame.
  var isAnimated = false
  /// True if the file contains the complete image.
  var isWhole: Bool

  /// Parses the header of a file with content `bytes`.
  package init(_ bytes: [UInt8]) throws(ImageFileError.Reason) {
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      try self.init(png: bytes)
    } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      try self.init(jpeg: bytes)
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.has("WEBP", at: 8) {
      try self.init(webp: bytes)
    } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
      try self.init(gif: bytes)
    } else {
      throw .unsupported(Self.name(of: bytes))
    }
  }

  /// Returns a description of known but unsupported content; `nil` for unknown content.
  private static func name(of bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "an empty file" }
    for (mark, place, name) in [
      ("BM", 0, "a BMP picture"), ("%PDF", 0, "a PDF"),
      ("II*\0", 0, "a TIFF"), ("MM\0*", 0, "a TIFF"), ("ftypavif", 4, "an AVIF picture"),
      ("ftyphei", 4, "a HEIC picture"), ("ftypmif1", 4, "a HEIC picture"),
    ] where bytes.has(mark, at: place) {
      return name
    }
    let start = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
    return start.contains("<svg") ? "an SVG drawing" : nil
  }

  /// Parses PNG chunks of length, type, data and CRC (PNG, section 5).
  private init(png bytes: [UInt8]) throws(ImageFileError.Reason) {
    guard bytes.has("IHDR", at: 12), let width = bytes.big32(16), let height = bytes.big32(20)
    else { throw bytes.count < 24 ? .truncated : .damaged(nil) }
    self.init(
      format: .png, size: PixelSize(width: width, height: height), isWhole: false)
    var place = 8
    while let length = bytes.big32(place), length <= bytes.count - place {
      if bytes.has("acTL", at: place + 4) { isAnimated = true }
      if bytes.has("IEND", at: place + 4) { isWhole = true }
      place += 12 + length
    }
  }

  /// Parses JPEG marker segments up to the scan (JPEG, annex B).
  private init(jpeg bytes: [UInt8]) throws(ImageFileError.Reason) {
    var size: PixelSize?
    var place = 2
    while let mark = bytes.big16(place), mark >= 0xff00 {
      if mark == 0xffff || (0xffd0...0xffd8).contains(mark) || mark == 0xff01 {
        place += mark == 0xffff ? 1 : 2
        continue
      }
      guard let length = bytes.big16(place + 2), length >= 2 else { break }
      let isFrame = (0xffc0...0xffcf).contains(mark) && ![0xffc4, 0xffc8, 0xffcc].contains(mark)
      if isFrame, let height = bytes.big16(place + 5), let width = bytes.big16(place + 7) {
        size = PixelSize(width: width, height: height)
      }
      if mark == 0xffda {
        guard let size else { throw .damaged(nil) }
        self.init(format: .jpeg, size: size, isWhole: bytes.hasEndOfImage(after: place))
        return
      }
      place += 2 + length
    }
    throw place + 4 > bytes.count ? .truncated : .damaged(nil)
  }

  /// Parses RIFF chunks (WebP container specification).
  private init(webp bytes: [UInt8]) throws(ImageFileError.Reason) {
    guard let length = bytes.little(4, count: 4) else { throw .truncated }
    let isWhole = length + 8 <= bytes.count
    var size: PixelSize?
    var isAnimated = false
    if bytes.has("VP8X", at: 12), let flags = bytes.little(20, count: 1),
      let width = bytes.little(24, count: 3), let height = bytes.little(27, count: 3)
    {
      size = PixelSize(width: width + 1, height: height + 1)
      isAnimated = flags & 2 != 0
    } else if bytes.has("VP8L", at: 12), let word = bytes.little(21, count: 4) {
      size = PixelSize(width: word & 0x3fff + 1, height: word >> 14 & 0x3fff + 1)
    } else if bytes.has("VP8 ", at: 12), let width = bytes.little(26, count: 2),
      let height = bytes.little(28, count: 2)
    {
      size = PixelSize(width: width & 0x3fff, height: height & 0x3fff)
    }
    guard let size else { throw isWhole ? .damaged(nil) : .truncated }
    self.init(format: .webp, size: size, isAnimated: isAnimated, isWhole: isWhole)
  }

  /// Parses the logical screen, extension blocks and image blocks (GIF89a, section 17 and on).
  private init(gif bytes: [UInt8]) throws(ImageFileError.Reason) {
    guard let width = bytes.little(6, count: 2), let height = bytes.little(8, count: 2),
      let flags = bytes.little(10, count: 1)
    else { throw .truncated }
    /// Returns the size in bytes of the color table that `flags` announce.
    func table(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }
    var place = 13 + table(flags)
    var pictures = 0
    scan: while let kind = bytes.little(place, count: 1) {
      switch kind {
      case 0x21: place += 2
      case 0x2c:
        guard let flags = bytes.little(place + 9, count: 1) else { break scan }
        place += 11 + table(flags)
      default: break scan
      }
      // Sub-blocks of up to 255 bytes, ending with an empty one.
      while let length = bytes.little(place, count: 1), length > 0 { place += 1 + length }
      guard place < bytes.count else { break }
      place += 1
      pictures += kind == 0x2c ? 1 : 0
    }
    self.init(
      format: .gif, size: PixelSize(width: width, height: height), isAnimated: pictures > 1,
      isWhole: pictures > 0)
  }

  private init(format: Format, size: PixelSize, isAnimated: Bool = false, isWhole: Bool) {
    (self.format, self.size) = (format, size)
    (self.isAnimated, self.isWhole) = (isAnimated, isWhole)
  }

  /// Extracts the first frame of an animated WebP file as a file of its own; returns `nil` if there
  /// is none.
  ///
  /// An `ANMF` chunk contains 16 bytes of position, size and duration, then the chunks of a still
  /// image.
  package static func firstPicture(ofWebP bytes: [UInt8]) -> [UInt8]? {
    var place = 12
    while let length = bytes.little(place + 4, count: 4), place + 8 + length <= bytes.count {
      if bytes.has("ANMF", at: place), length > 16 {
        let header = place + 8
        let extended: [UInt8] =
          Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + bytes[header + 6..<header + 12]
        let content =
          Array("WEBP".utf8) + extended + bytes[header + 16..<place + 8 + length]
        let size = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
        return Array("RIFF".utf8) + size + content
      }
      place += 8 + length + length & 1
    }
    return nil
  }
}

extension [UInt8] {
  fileprivate func has(_ text: String, at place: Int) -> Bool {
    let mark = Array(text.utf8)
    return place + mark.count <= count && self[place..<place + mark.count].elementsEqual(mark)
  }

  fileprivate func big16(_ place: Int) -> Int? {
    place + 2 <= count ? Int(self[place]) << 8 | Int(self[place + 1]) : nil
  }

  fileprivate func big32(_ place: Int) -> Int? {
    guard let high = big16(place), let low = big16(place + 2) else { return nil }
    return high << 16 | low
  }

  fileprivate func little(_ place: Int, count bytes: Int) -> Int? {
    guard place + bytes <= count else { return nil }
    return (0..<bytes).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }

  /// True if the JPEG end-of-image marker occurs after `place`.
  fileprivate func hasEndOfImage(after place: Int) -> Bool {
    var index = count - 2
    while index >= place {
      if self[index] == 0xff, self[index + 1] == 0xd9 { return true }
      index -= 1
    }
    return false
  }
}
