import TesseraPixels

/// A drawing as stored. Coverage is mostly 0 or 255 and is compressed as runs; pictures are stored
/// as they are.
struct EncodedDrawing: Hashable {
  let kind: UInt8
  let size: PixelSize
  /// The pixels. Coverage is compressed by run-length encoding (PackBits); pictures are not
  /// compressed.
  let bytes: ArraySlice<UInt8>

  init(kind: UInt8, size: PixelSize, bytes: ArraySlice<UInt8>) {
    (self.kind, self.size, self.bytes) = (kind, size, bytes)
  }

  init(_ art: RasterDrawing) {
    let isCoverage = art.kind == RasterDrawing.coverageKind
    self.init(
      kind: art.kind, size: art.size,
      bytes: isCoverage ? Self.packed(art.bytes)[...] : art.bytes[...])
  }

  /// The drawing, unpacked; `nil` if the bytes are invalid.
  var art: RasterDrawing? {
    guard kind == RasterDrawing.coverageKind else {
      return RasterDrawing(kind: kind, size: size, bytes: Array(bytes))
    }
    return Self.unpacked(bytes, count: size.area).flatMap {
      RasterDrawing(kind: kind, size: size, bytes: $0)
    }
  }

  /// True if the bytes are those of a complete drawing; checked without unpacking them.
  var isWhole: Bool {
    switch kind {
    case RasterDrawing.coverageKind: Self.unpackedCount(bytes) == size.area
    case RasterDrawing.imageKind: bytes.count == 4 * size.area
    default: false
    }
  }

  /// Returns the number of values in packed runs; `nil` if the runs are truncated.
  private static func unpackedCount(_ packed: ArraySlice<UInt8>) -> Int? {
    var (count, index) = (0, packed.startIndex)
    while index < packed.endIndex {
      let mark = Int(packed[index])
      guard mark != 128 else { return nil }
      count += mark < 128 ? mark + 1 : 257 - mark
      index += mark < 128 ? mark + 2 : 2
    }
    return index == packed.endIndex ? count : nil
  }

  /// Compresses bytes as PackBits does (Apple technical note 1023). A mark n up to 127 precedes n +
  /// 1 literal values. A mark n from 129 on repeats the next value 257 - n times.
  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    var (index, pending) = (0, 0)
    func flush(upTo end: Int, _ packed: inout [UInt8]) {
      while pending < end {
        let count = min(128, end - pending)
        packed.append(UInt8(count - 1))
        packed += bytes[pending..<pending + count]
        pending += count
      }
    }
    while index < bytes.count {
      var end = index + 1
      while end < bytes.count, end - index < 128, bytes[end] == bytes[index] { end += 1 }
      if end - index >= 3 {
        flush(upTo: index, &packed)
        packed += [UInt8(257 - (end - index)), bytes[index]]
        pending = end
      }
      index = end
    }
    flush(upTo: bytes.count, &packed)
    return packed
  }

  /// Decompresses exactly `count` values; returns `nil` if there are more or fewer.
  private static func unpacked(_ packed: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var index = packed.startIndex
    while index + 1 < packed.endIndex {
      let mark = Int(packed[index])
      if mark < 128 {
        guard index + 1 + mark < packed.endIndex, bytes.count + mark < count else { return nil }
        bytes += packed[index + 1...index + 1 + mark]
        index += mark + 2
      } else {
        guard mark != 128, bytes.count + 257 - mark <= count else { return nil }
        bytes.append(contentsOf: repeatElement(packed[index + 1], count: 257 - mark))
        index += 2
      }
    }
    return index == packed.endIndex && bytes.count == count ? bytes : nil
  }
}
