package import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// A table of rows and fields (RFC 4180), in UTF-8 or UTF-16.
///
/// Fields are separated by commas, semicolons or tabs, whichever the first line has most of. Quotes
/// enclose a field; a doubled quote is a literal quote.
package struct CSVTable {
  let file: String
  package private(set) var rows: [[String]] = []

  /// The maximum size of a file in bytes.
  static let maximumSize = 4 << 20

  package init(_ bytes: [UInt8], file: String) throws(DocumentError) {
    self.file = file
    guard bytes.count <= Self.maximumSize else {
      throw DocumentError(file: file, reason: "it is larger than \(Self.maximumSize >> 20) MB")
    }
    var rest = try TextDecoder.utf8(bytes, file: file)[...]
    let separator = Self.separator(&rest)
    var (row, field): ([String], [UInt8]) = ([], [])
    var (isQuoted, wasQuoted) = (false, false)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        if rest.first == byte {
          field.append(byte)
          rest.removeFirst()
        } else {
          isQuoted = false
        }
      case UInt8(ascii: "\"") where field.isEmpty && !wasQuoted:
        (isQuoted, wasQuoted) = (true, true)
      case separator where !isQuoted:
        row.append(try text(field))
        (field, wasQuoted) = ([], false)
      case 0x0d where !isQuoted && rest.first == 0x0a: break
      case 0x0a where !isQuoted, 0x0d where !isQuoted:
        try end(&row, &field)
        wasQuoted = false
      default: field.append(byte)
      }
    }
    guard !isQuoted else { throw DocumentError(file: file, reason: "a quote in it does not end") }
    try end(&row, &field)
  }

  /// Detects the separator. Skips a first line such as `sep=;`, which Excel writes and which states
  /// it.
  private static func separator(_ rest: inout ArraySlice<UInt8>) -> UInt8 {
    let line = rest.prefix { $0 != 0x0a && $0 != 0x0d }
    if line.count == 5, line.starts(with: "sep=".utf8), let separator = line.last {
      rest = rest.dropFirst(5).drop { $0 == 0x0a || $0 == 0x0d }
      return separator
    }
    func count(_ separator: UInt8) -> Int {
      var isQuoted = false
      return line.count { byte in
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        return byte == separator && !isQuoted
      }
    }
    let counts = ",;\t".utf8.map { ($0, count($0)) }
    // On a tie the first separator wins; `max` alone would return the last.
    return counts.reversed().max { $0.1 < $1.1 }?.0 ?? UInt8(ascii: ",")
  }

  private mutating func end(_ row: inout [String], _ field: inout [UInt8]) throws(DocumentError) {
    row.append(try text(field))
    if row.count > 1 || !row[0].trimmed.isEmpty { rows.append(row) }
    (row, field) = ([], [])
  }

  private func text(_ field: [UInt8]) throws(DocumentError) -> String {
    guard let text = String(validating: field, as: UTF8.self) else {
      throw TextDecoder.notText(file)
    }
    return text
  }
}

/// Decodes text files of unknown encoding.
enum TextDecoder {
  /// Converts UTF-8 or UTF-16 in either byte order to UTF-8 without a byte order mark.
  static func utf8(_ bytes: [UInt8], file: String) throws(DocumentError) -> [UInt8] {
    // Text never begins with a zero byte, but every other byte of Latin text in UTF-16 is zero.
    let isLittle = bytes.starts(with: [0xff, 0xfe]) || bytes.count > 1 && bytes[1] == 0
    guard isLittle || bytes.starts(with: [0xfe, 0xff]) || bytes.first == 0 else {
      return Array(bytes.withoutByteOrderMark)
    }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    guard bytes.count.isMultiple(of: 2),
      let text = String(validating: units.drop { $0 == 0xfeff }, as: UTF16.self)
    else { throw notText(file) }
    return Array(text.utf8)
  }

  /// Returns the error that `file` has no supported encoding.
  static func notText(_ file: String) -> DocumentError {
    DocumentError(
      file: file,
      reason: "it is neither UTF-8 nor UTF-16 text; save it as UTF-8 (in Excel: CSV UTF-8)")
  }
}
