package import TesseraDocuments

/// Rows of fields between commas or semicolons (RFC 4180): quotes around a field, two for one.
package struct CSV {
  let file: String
  package private(set) var rows: [[String]] = []

  /// The most bytes that are read.
  static let maximumSize = 4 << 20

  package init(_ bytes: [UInt8], file: String) throws(DocumentError) {
    self.file = file
    guard bytes.count <= Self.maximumSize else {
      throw DocumentError(file: file, reason: "it is larger than \(Self.maximumSize >> 20) MB")
    }
    var rest = bytes[...]
    if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
    let firstLine = rest.prefix { $0 != 0x0a }
    let separator =
      firstLine.contains(UInt8(ascii: ";")) && !firstLine.contains(UInt8(ascii: ","))
      ? UInt8(ascii: ";") : UInt8(ascii: ",")
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
      case 0x0d where !isQuoted: break
      case 0x0a where !isQuoted:
        try end(&row, &field)
        wasQuoted = false
      default: field.append(byte)
      }
    }
    guard !isQuoted else { throw DocumentError(file: file, reason: "a quote in it does not end") }
    try end(&row, &field)
  }

  private mutating func end(_ row: inout [String], _ field: inout [UInt8]) throws(DocumentError) {
    row.append(try text(field))
    if row.count > 1 || !row[0].trimmed.isEmpty { rows.append(row) }
    (row, field) = ([], [])
  }

  private func text(_ field: [UInt8]) throws(DocumentError) -> String {
    guard let text = String(validating: field, as: UTF8.self) else {
      throw DocumentError(file: file, reason: "it is not UTF-8 text")
    }
    return text
  }
}
