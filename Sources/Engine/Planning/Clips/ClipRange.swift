import TesseraDocuments
import TesseraMessages
import TesseraRecordings
import TesseraTimeline

/// A part of a call to render into its own file.
struct ClipRange: Equatable, Sendable {
  /// The start in times of the call.
  var from: MediaTime
  /// The end in times of the call, after ``from``.
  var to: MediaTime
  /// The title; may be empty.
  var title: String
  /// The row, from 1, of the table that lists the clip; `nil` for a chapter.
  var row: Int?

  /// The maximum number of clips in a request.
  static let most = 255

  /// Reads a table with one clip per row. The columns are `from`, `to` and an optional `title`, in
  /// any order. A table without a header row has them in this order, like the labels that audio
  /// editors write.
  ///
  /// - Throws: ``DocumentError`` with one sentence that names the invalid row.
  static func list(_ bytes: [UInt8], name: String) throws(DocumentError) -> [ClipRange] {
    let table = try CSVTable(bytes, file: name)
    var rows = table.rows[...]
    var columns = ["from": 0, "to": 1, "title": 2]
    let header = (rows.first ?? []).map { $0.trimmed.lowercased() }
    if header.contains("from") || !header.isEmpty && header.allSatisfy({ MediaTime($0) == nil }) {
      columns = Dictionary(zip(header, 0...)) { first, _ in first }
      rows = rows.dropFirst()
      if let missing = ["from", "to"].first(where: { columns[$0] == nil }) {
        throw DocumentError(
          file: name,
          reason: "its first row has no times and no column \"\(missing)\": name the columns from, "
            + "to and title")
      }
    }
    var marks: [ClipRange] = []
    for (number, row) in zip((table.rows.count - rows.count + 1)..., rows) {
      func cell(_ column: String) -> String {
        columns[column].flatMap { $0 < row.count ? row[$0] : nil }?.trimmed ?? ""
      }
      guard let from = MediaTime(cell("from")), let to = MediaTime(cell("to")) else {
        throw DocumentError(
          file: name,
          reason: "it has no times in row \(number): write from, to and a title, such as "
            + "1:30,2:10,The question")
      }
      guard from < to else {
        throw DocumentError(
          file: name,
          reason: "row \(number) ends at \(to.exactClock), but begins at \(from.exactClock): write "
            + "the earlier time as from")
      }
      marks.append(ClipRange(from: from, to: to, title: cell("title"), row: number))
    }
    guard !marks.isEmpty else {
      throw DocumentError(file: name, reason: "it has no clips: write rows of from, to and title")
    }
    guard marks.count <= most else {
      throw DocumentError(
        file: name, reason: "it has \(marks.count) clips; a render makes at most \(most)")
    }
    return marks
  }
}

extension ClipRange {
  /// Compares everything except the row, since the output does not depend on it.
  static func == (first: ClipRange, second: ClipRange) -> Bool {
    (first.from, first.to, first.title) == (second.from, second.to, second.title)
  }
}

extension String {
  /// The text without whitespace at its ends.
  fileprivate var trimmed: String {
    var rest = drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
