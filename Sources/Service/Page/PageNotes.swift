import TesseraMessages
import TesseraPlan
import TesseraRendering

/// The sentences of a report, without the paths of the machine that rendered the call.
struct PageNotes {
  private let files: [String]

  init(_ report: RenderReport) {
    // Longer paths come first, because a path may be the beginning of another.
    files = Set(report.inputs.flatMap(\.files)).sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// Returns the sentence of `loss`, with the recording's file name instead of its path.
  func sentence(_ loss: Loss) -> String {
    var named = loss
    named.source = Self.name(ofPath: loss.source)
    switch loss.cause {
    case .unreadable, .unheard: return "\(named.source): it could not be opened."
    default: return named.sentence
    }
  }

  /// Returns the text of `note` with file names instead of paths; `nil` if another path remains in
  /// it.
  func sentence(_ note: UserMessage) -> String? {
    var named = note.named { files.contains($0) ? Self.name(ofPath: $0) : $0 }.commandLine
    // The notes of a report that was read from a file are plain texts.
    if note.files.isEmpty {
      named = files.reduce(named) { $0.replacing($1, with: Self.name(ofPath: $1)) }
    }
    return named.split(whereSeparator: \.isWhitespace).contains(where: Self.isPath) ? nil : named
  }

  /// True for `/a`, `a/` and `a/b.c`, false for `A/V`, `and/or` and `/` alone.
  private static func isPath(_ word: Substring) -> Bool {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, word.count > 1 else { return false }
    let areWords = zip(parts, parts.dropFirst()).allSatisfy { before, after in
      [before.last, after.first].allSatisfy { $0.map { $0.isLetter || $0.isNumber } ?? false }
    }
    return !areWords || parts.last?.dropLast().contains(".") == true
  }

  private static func name(ofPath path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
