import TesseraDocuments
import TesseraTimeline

/// What the name of a file in a plain list says.
///
/// A name is words between blanks, `-`, `_` and `.`. A date and time (ISO 8601 with its separators
/// or without, or 13 or 16 digits of milliseconds or microseconds since 1970) is when it was
/// recorded. Words such as `camera`, `mic` or `screen`, at the beginning or the end, say what it
/// is, and a last number of up to four digits which part of it. What is left is whose it is: the
/// file's folder where nothing is. Where nothing but how it is coded is left, as in
/// `face_480x480_30_h264`, these words are whose it is, and files that differ in the rest are
/// different people's. A number after a word that means anybody (`participant-1`, `guest_2`, `track
/// 3`) belongs to that word, and is whose it is.
struct FileNameParts {
  /// Whose it is, as it is written.
  private(set) var person = ""
  /// The same for who writes it otherwise.
  private(set) var key = ""
  /// What it is; nil where no word says so.
  private(set) var kind: TrackKind?
  /// Which part of it; nil where no number says so.
  private(set) var part: Int?
  /// When it was recorded.
  private(set) var time: MediaTime?

  init(_ path: String) {
    var stem = MediaNames.stem(path)
    if let found = Self.findTime(stem) {
      time = found.time
      stem = found.rest
    }
    var words = stem.split(whereSeparator: Self.isSeparator).map(String.init)
    takePart(&words)
    let (kinds, rest) = Self.splitKinds(words)
    kind = SourceWords(kinds.joined(separator: " ")).kind
    let separator = stem.first(where: Self.isSeparator).map(String.init) ?? "-"
    let isPlain = kinds.isEmpty && part == nil && time == nil
    person = isPlain ? stem : rest.joined(separator: separator)
    let isAnybody = time != nil && rest.allSatisfy { Self.anybody.contains($0.lowercased()) }
    let isCoding = !kinds.isEmpty && Self.sayCoding(rest)
    if isCoding { person = kinds.joined(separator: separator) }
    if person.isEmpty { person = MediaNames.folders(path).last ?? "" }
    // With no folder to name them, `camera-1` and `camera-2` are two people.
    if person.isEmpty || isAnybody {
      person = MediaNames.stem(path)
      part = nil
    }
    key = (isCoding ? stem : person).lowercased().split(whereSeparator: Self.isSeparator)
      .joined(separator: " ")
  }

  /// Whether words say how a file is coded, and nothing else: its size, codec, rate and the like.
  private static func sayCoding(_ words: [String]) -> Bool {
    let words = words.map { $0.lowercased() }
    return words.contains(where: isCoding) && words.allSatisfy { isCoding($0) || isNumber($0[...]) }
  }

  /// `1280x720`, `720p`, `30fps` or a codec.
  private static func isCoding(_ word: String) -> Bool {
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    let unit = ["fps", "p"].first(where: word.hasSuffix)
    return codecs.contains(word) || sides.count == 2 && sides.allSatisfy(isNumber)
      || unit.map { isNumber(word.dropLast($0.count)) } ?? false
  }

  private static func isNumber(_ word: Substring) -> Bool {
    (1...5).contains(word.utf8.count) && word.utf8.allSatisfy { (48...57).contains($0) }
  }

  private static let codecs: Set<String> = [
    "aac", "av1", "avc", "flac", "h264", "h265", "hevc", "mp3", "opus", "pcm", "vorbis", "vp8",
    "vp9",
    "x264", "x265",
  ]

  /// The words at the beginning or the end that say what it is, and the others. Where there are
  /// some at both ends, as in `audio-longer-than-video`, it is a title that says nothing.
  private static func splitKinds(_ words: [String]) -> (kinds: [String], rest: [String]) {
    let first = words.prefix(while: SourceWords.isKind)
    guard first.count < words.count else { return (words, []) }
    let middle = words.dropFirst(first.count)
    let last = middle.reversed().prefix(while: SourceWords.isKind).count
    if !first.isEmpty, last > 0 { return ([], words) }
    return (first + middle.suffix(last), Array(middle.dropLast(last)))
  }

  private static func isSeparator(_ letter: Character) -> Bool { " -_.".contains(letter) }

  private static let anybody: Set<String> = [
    "attendee", "av1", "avc", "bench", "call", "caller", "channel", "clip", "client", "endpoint",
    "feed", "file", "guest", "h264",
    "h265", "hevc", "host", "in", "input", "member", "out", "output", "p", "participant", "peer",
    "person", "publisher",
    "recording", "record", "rec", "sample", "session", "source", "speaker", "stream", "subscriber",
    "test", "track", "u", "user", "view", "vp8", "vp9", "x264", "x265",
  ]
  private static let partWords: Set<String> = ["part", "pt", "seg", "segment", "chunk", "slice"]

  private mutating func takePart(_ words: inout [String]) {
    guard words.count > 1, let last = words.last, (1...4).contains(last.utf8.count),
      last.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(last)
    else { return }
    let before = words[words.count - 2].lowercased()
    guard !Self.anybody.contains(before) else { return }
    words.removeLast()
    if Self.partWords.contains(before), words.count > 1 { words.removeLast() }
    part = number
  }

  /// The time in a name, and the name without it.
  private static func findTime(_ stem: String) -> (time: MediaTime, rest: String)? {
    let bytes = Array(stem.utf8)
    for start in bytes.indices where (48...57).contains(bytes[start]) {
      guard start == 0 || !(48...57).contains(bytes[start - 1]) else { continue }
      guard let (count, time) = WallTime.scan(bytes[start...]) ?? epoch(bytes[start...]) else {
        continue
      }
      let rest = bytes[..<start] + [UInt8(ascii: "-")] + bytes[(start + count)...]
      return (time, String(decoding: rest, as: UTF8.self))
    }
    return nil
  }

  /// Milliseconds or microseconds since 1970, between 2001 and 2096.
  private static func epoch(_ bytes: ArraySlice<UInt8>) -> (count: Int, time: MediaTime)? {
    let digits = bytes.prefix { (48...57).contains($0) }
    guard digits.count == 13 || digits.count == 16, (49...51).contains(digits[digits.startIndex])
    else { return nil }
    let numeral = Numeral(String(decoding: digits, as: UTF8.self))
    return numeral?.time(digits.count == 13 ? .milliseconds : .microseconds)
      .map { (digits.count, $0) }
  }
}
