import TesseraTimeline

/// Decides whether numbered files belong to different participants or are parts of one recording.
///
/// Examples: `student 1` and `student 2`, or `webinar 1` and `webinar 2`. Clocks and lengths take
/// precedence over words.
struct NumberedFileClassifier {
  /// The facts about one of the files.
  struct NumberedFile {
    /// The path, for its extension.
    var path: String
    /// The length; `nil` if it was not measured.
    var duration: MediaTime?
    /// The start by a clock that all of the files share; `nil` without one.
    var start: MediaTime?
  }

  /// The meaning of the numbers: participants or parts.
  enum NumberMeaning: Hashable {
    case people
    case parts
  }

  /// A verdict with its reason, worded to follow "because".
  typealias Finding = (verdict: NumberMeaning, reason: String)

  let word: FileNameParser.Counter.KeywordMeaning
  /// The files of one kind, in the order of their numbers or times.
  let files: [NumberedFile]

  /// The largest count after a word that can be people.
  private static let mostPeople = 12
  private static let oneMoment = MediaTime(seconds: 2)

  /// True if the name denotes a segment of a stream.
  static func isPiece(_ path: String) -> Bool {
    ["ts", "m4s"].contains(FileNameClassifier.fileExtension(path))
  }

  /// The verdict by the first rule that applies.
  var finding: Finding {
    if files.allSatisfy({ Self.isPiece($0.path) }) {
      return (.parts, "they are pieces of a stream")
    }
    if let finding = byClock { return finding }
    if word == .role { return (.people, "the number comes after a role") }
    if let finding = byLength { return finding }
    if files.count > Self.mostPeople, word != .nothing {
      return (.parts, "they are more than \(Self.mostPeople)")
    }
    switch word {
    case .name: return (.parts, "nothing shows that the number identifies a participant")
    case .take: return (.parts, "they are named by their start times")
    case .role, .thing, .nothing: return (.people, "nothing shows that they follow each other")
    }
  }

  /// The verdict by clocks; `nil` if they do not decide.
  private var byClock: Finding? {
    let starts = files.compactMap(\.start)
    guard starts.count == files.count, files.count > 1 else { return nil }
    let sorted = files.sorted { ($0.start ?? .zero) < ($1.start ?? .zero) }
    var (isChain, isApart) = (true, true)
    for (first, second) in zip(sorted, sorted.dropFirst()) {
      guard let start = first.start, let next = second.start else { return nil }
      // If a length is unknown, the clocks only show whether both files started together.
      guard let length = first.duration, let other = second.duration else {
        guard next - start > Self.oneMoment else { return (.people, "their clocks overlap") }
        (isChain, isApart) = (false, false)
        continue
      }
      let tolerance = min(
        Self.oneMoment, MediaTime(nanoseconds: min(length, other).nanoseconds / 2))
      let gap = next - (start + length)
      if gap < .zero - tolerance { return (.people, "their clocks overlap") }
      isChain = isChain && gap <= tolerance
    }
    if isChain { return (.parts, "each starts where another one ends") }
    return isApart && word != .role && word != .nothing
      ? (.parts, "by their clocks they follow each other") : nil
  }

  /// The verdict by lengths; `nil` if they do not decide.
  private var byLength: Finding? {
    let lengths = files.compactMap(\.duration)
    guard lengths.count == files.count, lengths.count > 2, let longest = lengths.max(),
      let last = lengths.last, let shortest = lengths.dropLast().min()
    else { return nil }
    let tolerance = min(Self.oneMoment, MediaTime(nanoseconds: longest.nanoseconds / 50))
    guard longest - shortest <= tolerance else { return nil }
    if last >= shortest - tolerance { return (.people, "they have the same length") }
    return (.parts, "all have the same length, except for a shorter last one")
  }
}
