import TesseraTimeline

/// Encodes signed integers with a variable length: zigzag, then LEB128 (groups of seven bits,
/// lowest first).
struct VarintWriter {
  var bytes: [UInt8]

  mutating func write(_ number: Int64) {
    var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
    while rest > 127 {
      bytes.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func write(differencesOf numbers: [Int64]) {
    write(Int64(numbers.count))
    var last: Int64 = 0
    for number in numbers {
      write(number &- last)
      last = number
    }
  }

  mutating func write(word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}

/// Decodes the output of ``VarintWriter``. All functions return `nil` for invalid input.
struct VarintReader {
  let bytes: [UInt8]
  private(set) var next: Int
  let end: Int

  var isAtEnd: Bool { next == end }

  mutating func number() -> Int64? {
    guard next < end else { return nil }
    let first = bytes[next]
    if first < 128 {
      next += 1
      return Int64(first >> 1) ^ (0 -| Int64(first & 1))
    }
    var (rest, shift): (UInt64, UInt64) = (0, 0)
    while next < end, shift < 64 {
      let byte = bytes[next]
      next += 1
      rest |= UInt64(byte & 127) << shift
      shift += 7
      if byte < 128 { return Int64(bitPattern: rest >> 1) ^ (0 -| Int64(bitPattern: rest & 1)) }
    }
    return nil
  }

  mutating func differences() -> [Int64]? {
    guard let count = number(), count >= 0, count <= end - next else { return nil }
    var (numbers, last): ([Int64], Int64) = ([], 0)
    for _ in 0..<count {
      guard let difference = number() else { return nil }
      last &+= difference
      numbers.append(last)
    }
    return numbers
  }

  mutating func word() -> UInt64? {
    guard next + 8 <= end else { return nil }
    defer { next += 8 }
    return word(at: next)
  }

  func word(at index: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[index + $1]) << (8 * UInt64($1)) }
  }
}
