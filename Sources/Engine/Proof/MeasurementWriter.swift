package import Foundation
import TesseraPixels

/// Encodes a sequence of ``CanvasMeasurements`` into bytes, each as the difference from its
/// predecessor.
///
///     for each canvas a byte of flags: 1 tiles follow, 2 cells differ, 4 an overview follows,
///                 8 motion follows
///     tiles       the number of tiles; for each the slot, the area, and 1 and the plate's area,
///                 or 0; then all cells. Numbers are in LEB128
///     cells       for each tile a byte, the mask of the cells that differ; then for each of these
///                 cells four bits: the difference plus 7, or 15 and the value as two times four
///                 bits. Zero bits fill the last byte
///     overview    32 means of luma, of blue, of red; a byte of detail for each tile
///     motion      a byte
package struct MeasurementWriter: Sendable {
  /// The encoded canvases so far.
  package private(set) var bytes = Data()
  private var before = CanvasMeasurements()

  /// Flags in the first byte of a canvas.
  enum Flag {
    static let (tiles, values, overview, motion): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 8)
  }
  /// The largest difference that four bits can code, and the code that precedes a value in full.
  static let (reach, escape) = (7, 15)

  /// Creates a writer with no output.
  package init() {}

  /// True if the next canvas must list its tiles again because `tiles` differs from the previous
  /// canvas's.
  package func moves(_ tiles: [ProofTile]) -> Bool { bytes.isEmpty || tiles != before.tiles }

  /// Encodes a canvas equal to the previous one, without motion, in one byte.
  package mutating func repeatLast() { bytes.append(0) }

  /// Encodes the next canvas.
  package mutating func append(_ marks: CanvasMeasurements) {
    let isNew = moves(marks.tiles)
    let changes = !isNew && marks.cells != before.cells
    var head: UInt8 = isNew ? Flag.tiles : changes ? Flag.values : 0
    if marks.overview != nil { head |= Flag.overview }
    if marks.motion > 0 { head |= Flag.motion }
    bytes.append(head)
    if isNew { appendTiles(marks) }
    if changes { appendChanges(marks.cells) }
    if let overview = marks.overview {
      bytes += overview.luma + overview.blue + overview.red + overview.details
    }
    if marks.motion > 0 { bytes.append(marks.motion) }
    before = marks
  }

  private mutating func appendTiles(_ marks: CanvasMeasurements) {
    append(marks.tiles.count)
    for tile in marks.tiles {
      append(tile.slot)
      append(tile.area)
      append(tile.plate == nil ? 0 : 1)
      if let plate = tile.plate { append(plate) }
    }
    bytes += marks.cells
  }

  private mutating func appendChanges(_ cells: [UInt8]) {
    var halves: [UInt8] = []
    for start in stride(from: 0, to: cells.count, by: ProofTile.cellCount) {
      var mask: UInt8 = 0
      for cell in 0..<ProofTile.cellCount where cells[start + cell] != before.cells[start + cell] {
        mask |= 1 << UInt8(cell)
        let value = cells[start + cell]
        let difference = Int(value) - Int(before.cells[start + cell])
        if abs(difference) <= Self.reach {
          halves.append(UInt8(difference + Self.reach))
        } else {
          halves += [UInt8(Self.escape), value >> 4, value & 15]
        }
      }
      bytes.append(mask)
    }
    if !halves.count.isMultiple(of: 2) { halves.append(0) }
    for index in stride(from: 0, to: halves.count, by: 2) {
      bytes.append(halves[index] << 4 | halves[index + 1])
    }
  }

  private mutating func append(_ area: PixelRect) {
    append(area.x)
    append(area.y)
    append(area.width)
    append(area.height)
  }

  private mutating func append(_ number: Int) {
    var rest = UInt(max(0, number))
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Decodes the bytes of a ``MeasurementWriter``. Tolerates any input.
package struct MeasurementReader: Sendable {
  private let bytes: Data
  private var position: Int
  private var before = CanvasMeasurements()
  /// True if the reader met bytes that no writer produces. ``next()`` returns `nil` from then on.
  package private(set) var isDamaged = false

  /// Limits against damaged input: the number of tiles of a canvas, and any coordinate of a
  /// rectangle.
  private static let (mostTiles, largest) = (4096, 1 << 16)

  package init(_ bytes: Data) { (self.bytes, position) = (bytes, bytes.startIndex) }

  /// Decodes the next canvas; returns `nil` after the last one and if the bytes are damaged.
  package mutating func next() -> CanvasMeasurements? {
    guard position < bytes.endIndex, !isDamaged else { return nil }
    guard let marks = read() else {
      isDamaged = true
      return nil
    }
    before = marks
    return marks
  }

  private mutating func read() -> CanvasMeasurements? {
    guard let head = byte(), head < 16, head & 3 != 3 else { return nil }
    var marks = before
    (marks.overview, marks.motion) = (nil, 0)
    if head & MeasurementWriter.Flag.tiles != 0 {
      guard let tiles = readTiles(),
        let cells = take(tiles.count * ProofTile.cellCount)
      else { return nil }
      (marks.tiles, marks.cells) = (tiles, Array(cells))
    }
    if head & MeasurementWriter.Flag.values != 0 {
      guard readChanges(&marks.cells) else { return nil }
    }
    if head & MeasurementWriter.Flag.overview != 0 {
      let count = CanvasMeasurements.Overview.cellCount
      guard let luma = take(count), let blue = take(count), let red = take(count),
        let details = take(marks.tiles.count)
      else { return nil }
      marks.overview = CanvasMeasurements.Overview(
        luma: Array(luma), blue: Array(blue), red: Array(red), details: Array(details))
    }
    if head & MeasurementWriter.Flag.motion != 0 {
      guard let motion = byte(), motion > 0 else { return nil }
      marks.motion = motion
    }
    return marks
  }

  private mutating func readTiles() -> [ProofTile]? {
    guard let count = number(), count <= Self.mostTiles else { return nil }
    var tiles: [ProofTile] = []
    for _ in 0..<count {
      guard let slot = number(), let area = area(), let hasPlate = byte() else { return nil }
      var tile = ProofTile(slot: slot, area: area)
      if hasPlate == 1 {
        guard let plate = self.area() else { return nil }
        tile.plate = plate
      }
      tiles.append(tile)
    }
    return tiles
  }

  private mutating func readChanges(_ cells: inout [UInt8]) -> Bool {
    guard let masks = take(cells.count / ProofTile.cellCount) else { return false }
    var half: UInt8?
    func next(_ reader: inout MeasurementReader) -> UInt8? {
      if let low = half {
        half = nil
        return low
      }
      guard let pair = reader.byte() else { return nil }
      half = pair & 15
      return pair >> 4
    }
    for (tile, mask) in masks.enumerated() {
      for cell in 0..<ProofTile.cellCount where mask >> UInt8(cell) & 1 == 1 {
        let place = tile * ProofTile.cellCount + cell
        guard let code = next(&self) else { return false }
        if Int(code) == MeasurementWriter.escape {
          guard let high = next(&self), let low = next(&self) else { return false }
          cells[place] = high << 4 | low
        } else {
          let value = Int(cells[place]) + Int(code) - MeasurementWriter.reach
          guard let value = UInt8(exactly: value) else { return false }
          cells[place] = value
        }
      }
    }
    return true
  }

  private mutating func area() -> PixelRect? {
    guard let x = number(), let y = number(), let width = number(), let height = number(),
      max(x, y, width, height) <= Self.largest
    else { return nil }
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  private mutating func byte() -> UInt8? { take(1)?.first }

  private mutating func take(_ count: Int) -> Data? {
    guard count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  private mutating func number() -> Int? {
    var number = 0
    for place in 0..<5 {
      guard let next = byte() else { return nil }
      number |= Int(next & 127) << (7 * place)
      if next < 128 { return number }
    }
    return nil
  }
}
