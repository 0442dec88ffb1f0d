package import TesseraDocuments
package import TesseraMessages
package import TesseraTimeline

/// Reads chapter lists: lines such as `0:12 Title`, as in descriptions of videos, or FFmpeg's
/// metadata.
package struct ChapterFileReader: Sendable {
  /// The start and the title of one chapter.
  package struct ChapterMark: Hashable, Sendable, Codable {
    package var time: MediaTime
    /// The title, on one line.
    package var title: String

    /// Creates a chapter `title` that starts at `time`.
    package init(_ time: MediaTime, _ title: String) { (self.time, self.title) = (time, title) }
  }

  /// The maximum number of chapters.
  package static let most = 255

  /// The chapters in order of time.
  package let marks: [ChapterMark]

  /// Reads the file `name` with the content `bytes`.
  ///
  /// - Throws: one sentence that names the wrong line.
  package init(_ bytes: [UInt8], name: String) throws(DocumentError) {
    guard let text = String(file: bytes) else {
      throw DocumentError(file: name, reason: "it is not text in UTF-8")
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }
    marks = try Self.checked(
      lines.first?.hasPrefix(";FFMETADATA") == true
        ? Self.metadata(lines, name) : Self.plain(lines, name), name)
  }

  /// Returns `marks` in order of time.
  ///
  /// - Throws: if `marks` is empty, has more than ``most`` chapters, or two chapters at one time.
  package static func checked(_ marks: [ChapterMark], _ name: String) throws(DocumentError)
    -> [ChapterMark]
  {
    let sorted = marks.sorted { $0.time < $1.time }
    guard !sorted.isEmpty else {
      throw DocumentError(file: name, reason: "it has no chapters: write lines such as 0:12 Title")
    }
    guard sorted.count <= most else {
      throw DocumentError(
        file: name, reason: "it has \(sorted.count) chapters; a file carries at most \(most)")
    }
    if let two = zip(sorted, sorted.dropFirst()).first(where: { $0.time == $1.time }) {
      throw DocumentError(
        file: name,
        reason: "it has two chapters at \(two.0.time.clock): \(two.0.title) and \(two.1.title)")
    }
    return sorted
  }

  /// Reads lines with a time and a title. Empty lines and lines that begin with `#` are ignored.
  private static func plain(_ lines: [Substring], _ name: String) throws(DocumentError)
    -> [ChapterMark]
  {
    var marks: [ChapterMark] = []
    for (number, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      let time = MediaTime(String(words[0].filter { !"[]()".contains($0) }))
      // A dash between the time and the title separates them.
      let title = words.count > 1 ? words[1].drop { $0.isWhitespace || "-–—:|".contains($0) } : ""
      guard let time, time >= .zero, let title = title.isEmpty ? nil : Self.trimmed(title) else {
        throw DocumentError(
          file: name,
          reason:
            "it has no chapter in line \(number + 1): write a time and a title, such as "
            + "0:12 Title")
      }
      marks.append(ChapterMark(time, title))
    }
    return marks
  }

  /// Reads the chapters of FFmpeg's metadata format.
  private static func metadata(
    _ lines: [Substring], _ name: String
  ) throws(DocumentError) -> [ChapterMark] {
    var marks: [ChapterMark] = []
    var (isChapter, base, start, title) = (false, Ratio?.none, Int64?.none, "")
    func finish() throws(DocumentError) {
      guard isChapter else { return }
      guard let start, let time = MediaTime(ticks: start, timeBase: base ?? .nanoseconds),
        time >= .zero
      else {
        throw DocumentError(file: name, reason: "it has a chapter without a START that is a time")
      }
      marks.append(ChapterMark(time, title.isEmpty ? "Chapter \(marks.count + 1)" : title))
    }
    for line in lines {
      if line.hasPrefix("[") {
        try finish()
        (isChapter, base, start, title) = (line.hasPrefix("[CHAPTER]"), nil, nil, "")
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      switch parts[0].lowercased() {
      case "timebase":
        let numbers = parts[1].split(separator: "/").compactMap { Int($0) }
        if numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) {
          base = Ratio(numbers[0], numbers[1])
        }
      case "start": start = Int64(parts[1])
      case "title": title = Self.trimmed(parts[1].replacing("\\", with: "")[...]) ?? ""
      default: break
      }
    }
    try finish()
    return marks
  }

  private static func trimmed(_ text: Substring) -> String? {
    var text = text
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.isEmpty ? nil : String(text)
  }
}

extension [ChapterFileReader.ChapterMark] {
  /// Returns the note that chapters from `end` on, the end of a call, are left out; `nil` if there
  /// are none.
  package func noteOnChapters(after end: MediaTime) -> UserMessage? {
    let late = filter { $0.time >= end }
    guard let first = late.first else { return nil }
    let verb = late.count == 1 ? "is" : "and \(late.count - 1) more are"
    return "the chapter \"\(first.title)\" at \(first.time.exactClock) \(verb) left out: the "
      + "recordings are only \(end.clock) long."
  }
}

extension Ratio {
  /// The default time base of chapters in FFmpeg's metadata.
  fileprivate static let nanoseconds = Ratio(1, 1_000_000_000)
}
