import TesseraDocuments
import TesseraTimeline

/// Parses the name of a media file in a plain list: participant, kind, part and time.
///
/// A name consists of words between blanks, `-`, `_` and `.`.
/// - A date with a time states when the file was recorded: ISO 8601 with or without separators, the
///   form of screen recorders, a time in a folder of its date, or 10, 13 or 16 digits of seconds,
///   milliseconds or microseconds since 1970. A date alone only orders parts. A second, later time
///   is the end.
/// - Words such as `camera`, `mic` or `screen`, at the beginning or the end, state the kind.
/// - Camera names (`IMG_2041`), identifiers and words that all files share
///   (``SharedFileNameParts``) are no participants.
/// - Words of field recorders with numbers (`T001`, `ZOOM0002`) count takes.
/// - A last number of up to four digits, in parentheses or not, counts parts or people;
///   ``NumberedFileClassifier`` decides which.
/// - The rest names the participant; if there is none, the folder does.
/// - If only coding parameters remain, as in `face_480x480_30_h264`, they name the participant, and
///   files that differ in other words belong to different participants.
struct FileNameParser {
  /// The participant's name as written, without counting words.
  private(set) var person = ""
  /// The participant's name normalized for comparison.
  private(set) var key = ""
  /// The kind of track; `nil` if no word states it.
  private(set) var kind: TrackKind?
  /// The number of the part; `nil` if nothing states it.
  private(set) var part: Int?
  /// The date and time in the name.
  private(set) var anchor: TimeAnchor?
  var time: MediaTime? { anchor?.time }
  /// `isFolders`: true if the folder names the participant. `isOwners`: true if each of several
  /// folders names a participant.
  private(set) var (isFolders, isOwners) = (false, false)
  /// The date, if no time follows it.
  private(set) var day: MediaTime?
  /// True if a camera or phone chose the name.
  private(set) var isCameras = false
  /// The counter that distinguishes participants or parts; `nil` without one, or if it only counts
  /// parts.
  private(set) var count: Counter?

  /// A number or time in a name that may count participants or parts of one recording.
  struct Counter: Hashable {
    /// The meaning of the word before a number.
    enum KeywordMeaning {
      /// A role: `guest 2`.
      case role
      /// A general word: `recording 2`.
      case thing
      /// The name of a participant or folder: `ada 2`.
      case name
      /// No word, but a kind and a time: takes such as `webcam1712345678901`.
      case take
      /// No word with a meaning for the count: `camera 2`, `IMG_2041`.
      case nothing
    }

    let word: KeywordMeaning
    /// The number or time as text, for comparison.
    let member: String
    /// The number; `nil` for a time.
    let number: Int?
    /// The participant's name in case the number distinguishes people instead of parts.
    let person: String
  }

  /// The time or date that orders the parts of a participant's recording.
  var moment: MediaTime? { time ?? day }

  init(_ path: String, in context: SharedFileNameParts = SharedFileNameParts()) {
    let whole = FileNameClassifier.stem(path)
    let folder = SharedFileNameParts.owner(path)
    var undated = takeMoment(whole, in: FileNameClassifier.folders(path))
    if !context.hasFolderDates, anchor?.source != Self.source { anchor = nil }
    // Dates already distinguish the names. A count after a date means that two recordings started
    // together.
    if moment != nil { undated.dropCounts() }
    let stem = undated.text
    var words = context.words(of: undated, at: path)
    let isShort = words.count < stem.split(whereSeparator: Self.isSeparator).count
    takeTake(&words)
    let isTake = part != nil
    // After a date, long numbers are durations and identifiers.
    let names = words.filter { word in
      !FileNameKeywords.copies.contains(word.lowercased())
        && (moment == nil || word.utf8.count < 6 || !Self.isDigits(word[...])
          || NumberedFileClassifier.isPiece(path))
    }
    if moment != nil || names.contains(where: FileNameKeywords.isName) { words = names }
    // Phones write the direction of a call before the contact.
    if moment != nil, let first = words.first,
      FileNameKeywords.directions.contains(first.lowercased()),
      words.dropFirst().contains(where: FileNameKeywords.isName)
    {
      words.removeFirst()
    }
    let wordCount = words.count
    let camera = takeCamera(&words)
    let first = undated.before.split(whereSeparator: Self.isSeparator).first ?? ""
    isCameras =
      words.count < wordCount || FileNameKeywords.datedCameras.contains(first.lowercased())
    // Cameras and phones have clocks of their own.
    if isCameras, case .wall(let pattern)? = anchor?.clock { anchor?.clock = .device(pattern) }
    var number = camera ?? takeNumber(&words, path, isAfterName: isShort)
    var (kinds, rest) = Self.splitKinds(words)
    if isTake, rest.count == 1, Self.isNumber(rest[0][...]) { rest[0] = "Track \(rest[0])" }
    if number == nil, rest.count > 1, FileNameKeywords.count(rest[rest.count - 2]) != nil {
      number = Self.isNumber(rest[rest.count - 1][...]) ? rest.removeLast() : nil
    }
    kind = TrackNameParts(kinds.joined(separator: " ")).kind
    let separator = stem.first(where: Self.isSeparator).map(String.init) ?? "-"
    let (name, kindName) = (rest.joined(separator: separator), kinds.joined(separator: separator))
    guard kinds.isEmpty || !Self.sayCoding(rest) else {
      (person, key) = (kindName, Self.folded(stem))
      return
    }
    let counts = rest.map(FileNameKeywords.count)
    let isFoldersOwn = context.owners.contains(
      FileNameClassifier.folders(path).joined(separator: "/"))
    let isAnybody =
      rest.isEmpty || moment != nil && number == nil && !counts.contains(nil)
      || isFoldersOwn && !rest.contains(where: FileNameKeywords.isName)
    isFolders =
      isAnybody && !folder.isEmpty
      && (moment == nil || isCameras || !kinds.isEmpty || isFoldersOwn)
    isOwners = isFolders && isFoldersOwn
    let owner: String? = isAnybody ? (isFolders ? folder : nil) : name
    let word: Counter.KeywordMeaning =
      switch counts.last ?? nil {
      case .people where number != nil: .role
      case .things: .thing
      default: owner != nil ? .name : kinds.isEmpty || number != nil ? .nothing : .take
      }
    if let number, camera == nil || isAnybody {
      count = Counter(
        word: word, member: "\(Int(number) ?? 0)", number: Int(number),
        person: isAnybody ? whole : "\(name)\(separator)\(number)")
    } else if let number {
      part = (Int(number) ?? 0) *| 100 +| (part ?? 0)
    } else if let moment, owner == nil {
      count = Counter(word: word, member: "\(moment)", number: nil, person: whole)
    }
    let isPlain =
      kinds.isEmpty && number == nil && part == nil && moment == nil && !isShort && !isOwners
    person = isPlain || owner == nil && count == nil ? whole : owner ?? name
    if person.isEmpty { person = kinds.isEmpty ? whole : kindName }
    key = Self.folded(owner != nil || !rest.isEmpty ? person : count == nil ? whole : "")
    // Counts after words without a name are separate in each folder.
    if count != nil, [.thing, .take, .nothing].contains(word) { key = "\(folder)/\(key)" }
  }

  /// A file name, without its extension, split at its date.
  struct NameWithoutDate {
    /// The text before the date.
    var before = ""
    /// The text after the date.
    var after = ""
    /// The date of the folder if the name has none.
    var folder: MediaTime?
    /// The name with the date removed.
    var text: String { after.isEmpty ? before : "\(before)-\(after)" }

    /// Removes `(2)` at the ends, which programs append to names that exist already.
    mutating func dropCounts() {
      let count = #/[ _]?\(\d+\)$/#
      (before, after) = (before.replacing(count, with: ""), after.replacing(count, with: ""))
    }
  }

  /// Removes the date from the name of the file at `path`.
  static func withoutMoment(_ path: String) -> NameWithoutDate {
    var parts = FileNameParser()
    var name = parts.takeMoment(FileNameClassifier.stem(path), in: FileNameClassifier.folders(path))
    if parts.anchor?.source != source { name.folder = parts.time }
    return name
  }

  private init() {}

  /// Removes the date and time from `name`, or from the innermost folder's name. A second, later
  /// time is the end and is removed.
  private mutating func takeMoment(_ name: String, in folders: [String]) -> NameWithoutDate {
    guard let first = Self.moment(in: Array(name.utf8), Self.date(of: folders)) else {
      anchor = folders.last.flatMap { Self.moment(in: Array($0.utf8), nil)?.anchor }
      anchor?.source = "the date of its folder"
      return NameWithoutDate(before: name)
    }
    (anchor, day) = (first.anchor, first.day)
    guard let begin = first.anchor, let second = Self.moment(in: Array(first.after.utf8), nil),
      let end = second.anchor, end.clock == begin.clock, end.time > begin.time
    else { return NameWithoutDate(before: first.before, after: first.after) }
    let after = NameWithoutDate(before: second.before, after: second.after).text
    return NameWithoutDate(before: first.before, after: after)
  }

  /// Finds the first date and time in a name, or the first date, with the text before and after it.
  /// `date` completes a time of day.
  private static func moment(
    in bytes: [UInt8], _ date: String?
  ) -> (anchor: TimeAnchor?, day: MediaTime?, before: String, after: String)? {
    for start in bytes.indices where isDigit(bytes[start]) {
      guard start == 0 || !isDigit(bytes[start - 1]) else { continue }
      let rest = bytes[start...]
      let before = String(decoding: bytes[..<start], as: UTF8.self)
      func after(_ count: Int) -> String { String(decoding: rest.dropFirst(count), as: UTF8.self) }
      func anchor(_ time: MediaTime, _ count: Int, hasSeconds: Bool) -> TimeAnchor {
        let text = String(decoding: rest.prefix(count), as: UTF8.self)
        return self.anchor(time, text, hasSeconds: hasSeconds)
      }
      if let found = WallClockFormat.scan(rest, before: FileNameKeywords.at, isLoose: true) {
        // Up to three letters directly after the time are no word.
        let letters = rest.dropFirst(found.count).prefix { (97...122).contains($0 | 0x20) }.count
        return (
          anchor(found.time, found.count, hasSeconds: found.hasSeconds), nil,
          before, after(found.count + (letters < 4 ? letters : 0))
        )
      }
      if let found = epoch(rest) { return (found.anchor, nil, before, after(found.count)) }
      if let date, rest.dropFirst(2).first.map(isDigit) == false,
        let found = WallClockFormat.scan(Array(date.utf8)[...] + rest),
        found.count > date.utf8.count
      {
        let count = found.count - date.utf8.count
        return (anchor(found.time, count, hasSeconds: true), nil, before, after(count))
      }
      if let found = WallClockFormat.day(rest),
        rest.dropFirst(found.count).first.map(isDigit) != true
      {
        return (nil, found.time, before, after(found.count))
      }
    }
    return nil
  }

  /// Returns the date, or year and month, in the innermost of `folders`, in a form that a time can
  /// follow; `nil` if there is none.
  private static func date(of folders: [String]) -> String? {
    let name = folders.suffix(3).joined(separator: "-")
    for digits in [name, folders.suffix(1).joined(), folders.suffix(2).joined(separator: "-")] {
      let isMonth = digits.utf8.count == 7
      let bytes = Array((isMonth ? digits + "-01" : digits).utf8)
      guard let found = WallClockFormat.day(bytes[...]), found.count == bytes.count else {
        continue
      }
      return isMonth ? "\(digits)-" : "\(digits)T"
    }
    return nil
  }

  /// Removes words that count scenes and takes (`S001T02`, `ZOOM0001`) or reels and clips
  /// (`A001_C002`).
  ///
  /// Field recorders write the first form and cinema cameras the second, of which the camera's
  /// letter stays. Does nothing if no other words would remain.
  private mutating func takeTake(_ words: inout [String]) {
    let name = words.joined(separator: "_")
    if let clip = name.firstMatch(of: #/^([A-Z])_?(\d{3,4})(?:_\w*)?_?C(\d{3,4})(?:\D.*)?$/#) {
      part = (Int(clip.output.2) ?? 0) * 10_000 + (Int(clip.output.3) ?? 0)
      words = [String(clip.output.1)]
      return
    }
    var (numbers, others, index) = ([Int](), [String](), 0)
    while index < words.count {
      let next = words.indices.contains(index + 1) ? words[index + 1] : ""
      if let found = Self.takes(in: words[index]) {
        numbers += found
      } else if FileNameKeywords.fieldRecorders.contains(words[index].lowercased()),
        next.count == 4,
        Self.isDigits(next[...])
      {
        numbers.append(Int(next) ?? 0)
        index += 1
      } else {
        others.append(words[index])
      }
      index += 1
    }
    guard !numbers.isEmpty,
      others.contains(where: { FileNameKeywords.isName($0) || Self.isNumber($0[...]) })
    else { return }
    words = others
    part = numbers.suffix(3).reduce(0) { $0 * 10_000 + $1 }
  }

  /// Returns the numbers of a word such as `T002` or `S001T02`; `nil` for other words.
  private static func takes(in word: String) -> [Int]? {
    var (rest, numbers) = (word[...], [Int]())
    while !rest.isEmpty {
      let letters = rest.prefix { $0.isLetter }
      let digits = rest.dropFirst(letters.count).prefix { $0.isASCII && $0.isNumber }
      guard FileNameKeywords.takes.contains(letters.lowercased()), (1...4).contains(digits.count)
      else {
        return nil
      }
      numbers.append(Int(digits) ?? 0)
      rest = rest[digits.endIndex...]
      // `S01` alone is the subject of a study, and `T1` may be a name.
      let isAlone = rest.isEmpty && numbers.count == 1
      if isAlone, letters.lowercased() == "s" || letters.count == 1 && digits.count < 3 {
        return nil
      }
    }
    return numbers
  }

  /// Removes a camera's file prefix from the end of the words and returns its number, if any.
  private mutating func takeCamera(_ words: inout [String]) -> String? {
    // A letter after the number identifies the lens.
    if words.count > 2, words[words.count - 1].count == 1,
      Self.isDigits(words[words.count - 2][...]),
      FileNameKeywords.cameras.contains(words[words.count - 3].lowercased())
    {
      words.removeLast()
    }
    guard let last = words.last else { return nil }
    let letters = last.prefix { !$0.isNumber }.lowercased()
    let digits = last.dropFirst(letters.count)
    // Sony's clips have four digits; `C012` may be a participant.
    let isNumbered =
      Self.isDigits(digits) && (letters == "c" ? 4...4 : 3...9).contains(digits.count)
    if isNumbered, letters.isEmpty, words.count > 1,
      FileNameKeywords.cameras.contains(words[words.count - 2].lowercased())
    {
      words.removeLast(2)
      return String(digits)
    }
    if isNumbered, FileNameKeywords.clips.contains(letters) {
      words.removeLast()
      // GoPro's number begins with the chapter (two digits), followed by the recording (four
      // digits).
      guard letters.count == 2, letters.hasPrefix("g"), digits.count == 6 else {
        if let before = words.last?.lowercased(), FileNameKeywords.cameras.contains(before) {
          words.removeLast()
        }
        return String(digits)
      }
      part = Int(digits.prefix(2))
      return String(digits.suffix(4))
    }
    if moment != nil, FileNameKeywords.cameras.contains(last.lowercased()),
      last.lowercased() != "sam"
    {
      words.removeLast()
    }
    return nil
  }

  /// Removes a number from the end of `words` and returns it.
  ///
  /// If a word such as `part` precedes the number, stores the number in ``part`` instead and
  /// returns `nil`.
  private mutating func takeNumber(
    _ words: inout [String], _ path: String, isAfterName: Bool
  ) -> String? {
    guard let last = words.last else { return nil }
    let isPiece = NumberedFileClassifier.isPiece(path)
    var digits = last[...]
    if isPiece { digits = last.suffix(while: { $0.isASCII && $0.isNumber }) }
    guard Self.isDigits(digits), digits.count < (isPiece ? 10 : 5),
      words.count > 1 || digits.count < last.count || isCameras
        || isAfterName && moment == nil && part == nil
    else { return nil }
    words.removeLast()
    if digits.count < last.count { words.append(String(last.dropLast(digits.count))) }
    guard let before = words.last, FileNameKeywords.parts.contains(before.lowercased()) else {
      return String(digits)
    }
    if words.count > 1 { words.removeLast() }
    part = Int(digits)
    return nil
  }

  private static func folded(_ name: String) -> String {
    name.lowercased().split(whereSeparator: isSeparator).joined(separator: " ")
  }

  /// True if the words only describe the coding: size, codec, frame rate and the like.
  private static func sayCoding(_ words: [String]) -> Bool {
    words.contains(where: FileNameKeywords.isCoding)
      && words.allSatisfy { FileNameKeywords.isCoding($0) || isNumber($0[...]) }
  }

  private static func isNumber(_ word: Substring) -> Bool { isDigits(word) && word.count < 6 }

  private static func isDigits(_ word: Substring) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Separates the words at the beginning or the end that state the kind from all others.
  ///
  /// Kinds at both ends, as in `audio-longer-than-video`, belong to a title and state nothing.
  private static func splitKinds(_ words: [String]) -> (kinds: [String], rest: [String]) {
    func isKind(_ index: Int) -> Bool {
      let isRecording = FileNameKeywords.recordings.contains(words[index].lowercased())
      return TrackNameParts.isKind(words[index])
        || isRecording && index > 0 && TrackNameParts.isKind(words[index - 1])
    }
    let first = words.indices.prefix(while: isKind).count
    guard first < words.count else { return (words, []) }
    let last = words.indices[first...].reversed().prefix(while: isKind).count
    if first > 0, last > 0 { return ([], words) }
    return (
      Array(words.prefix(first) + words.suffix(last)), Array(words.dropFirst(first).dropLast(last))
    )
  }

  static func isSeparator(_ letter: Character) -> Bool {
    " -_.#\u{a0}\u{202f}".contains(letter)
  }

  /// Parses seconds, milliseconds or microseconds since 1970.
  ///
  /// Accepts seconds between 2014 and 2033, and finer units between 2001 and 2096.
  private static func epoch(_ bytes: ArraySlice<UInt8>) -> (count: Int, anchor: TimeAnchor)? {
    let digits = bytes.prefix(while: isDigit)
    let text = String(decoding: digits, as: UTF8.self)
    let (unit, resolution): (DecimalLiteral.TimeUnit, MediaTime)
    switch digits.count {
    case 10 where ("14"..<"20").contains(text.prefix(2)):
      (unit, resolution) = (.seconds, TimeAnchor.second)
    case 13: (unit, resolution) = (.milliseconds, TimeAnchor.millisecond)
    case 16: (unit, resolution) = (.microseconds, TimeAnchor.microsecond)
    default: return nil
    }
    guard ("1"..."3").contains(text.prefix(1)), let time = DecimalLiteral(text)?.time(unit) else {
      return nil
    }
    return (
      digits.count,
      TimeAnchor(
        .created, .wall("\(TrackPlacer.names)\(digits.count) digits"), time, within: resolution,
        source: source)
    )
  }

  /// Returns an anchor for the date `time`, written as `text`. The form of the text identifies the
  /// clock.
  private static func anchor(_ time: MediaTime, _ text: String, hasSeconds: Bool) -> TimeAnchor {
    // Hours of one or two digits, and AM and PM, belong to one clock.
    let pattern = text.split(whereSeparator: \.isNumber).joined(separator: "0")
      .replacing(#/[\s\h]*[AaPp][Mm]$/#, with: "")
    let resolution =
      time.nanoseconds % 1_000_000_000 != 0
      ? TimeAnchor.millisecond : hasSeconds ? TimeAnchor.second : MediaTime(seconds: 60)
    return TimeAnchor(
      .created, .wall("\(TrackPlacer.names)\(pattern)"), time, within: resolution, source: source)
  }

  private static let source = "the date in its name"
}

extension StringProtocol {
  /// Returns the longest suffix whose characters all satisfy `condition`.
  fileprivate func suffix(while condition: (Character) -> Bool) -> SubSequence {
    self[(lastIndex { !condition($0) }.map(index(after:)) ?? startIndex)...]
  }
}
