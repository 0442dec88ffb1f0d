import TesseraDocuments
import TesseraRecordings
import TesseraTimeline

/// A part of a call that becomes a file of its own.
struct ClipMark: Equatable, Sendable {
  /// Where it begins, by times of the call.
  var from: MediaTime
  /// Where it ends, after that.
  var to: MediaTime
  /// What it is called; may be empty.
  var title: String
  /// The row of the table that lists it, from 1.
  var row: Int?

  /// `title` from `from` up to `to`.
  init(from: MediaTime, to: MediaTime, title: String, row: Int? = nil) {
    (self.from, self.to, self.title, self.row) = (from, to, title, row)
  }

  /// The most that a request makes.
  static let most = 255

  /// The clips that a table lists, a row each: its columns are `from`, `to` and `title`, in any
  /// order, of which the title may be missing. A table without names of columns has them in this
  /// order, as the labels that audio editors write do.
  ///
  /// - Throws: one sentence that names the row that is wrong.
  static func list(_ bytes: [UInt8], name: String) throws(DocumentError) -> [ClipMark] {
    let table = try CSV(bytes, file: name)
    var rows = table.rows[...]
    var columns = ["from": 0, "to": 1, "title": 2]
    let header = (rows.first ?? []).map { $0.trimmed.lowercased() }
    if header.contains("from") {
      columns = Dictionary(zip(header, 0...)) { first, _ in first }
      rows = rows.dropFirst()
      guard columns["to"] != nil else {
        throw DocumentError(file: name, reason: "has no column \"to\": name from, to and title")
      }
    }
    var marks: [ClipMark] = []
    for (number, row) in zip((table.rows.count - rows.count + 1)..., rows) {
      func cell(_ column: String) -> String {
        columns[column].flatMap { $0 < row.count ? row[$0] : nil }?.trimmed ?? ""
      }
      guard let from = MediaTime(cell("from")), let to = MediaTime(cell("to")), from < to else {
        throw DocumentError(
          file: name,
          reason: "has a row \(number) that is not a clip: write from, to and a title, such as "
            + "1:30,2:10,The question")
      }
      marks.append(ClipMark(from: from, to: to, title: cell("title"), row: number))
    }
    guard !marks.isEmpty else {
      throw DocumentError(file: name, reason: "holds no clips: write rows of from, to and title")
    }
    guard marks.count <= most else {
      throw DocumentError(
        file: name, reason: "has \(marks.count) clips; a render makes at most \(most)")
    }
    return marks
  }
}

extension ClipMark {
  /// Compares what is made: the same clip may be listed in any row.
  static func == (first: ClipMark, second: ClipMark) -> Bool {
    (first.from, first.to, first.title) == (second.from, second.to, second.title)
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String {
    var rest = drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
