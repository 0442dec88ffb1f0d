import TesseraDocuments
import TesseraTimeline

/// What the name of a file in a plain list says.
///
/// A name is words between blanks, `-`, `_` and `.`. A date and time (ISO 8601 with its separators
/// or without, as systems name screen recordings, a time in a folder of its date, or 10, 13 or 16
/// digits of seconds, milliseconds or microseconds since 1970) is when it was recorded; a date alone
/// says nothing but that, and a later one is the end. Words
/// such as `camera`, `mic` or `screen`, at the beginning or the end, say what it is. What a camera
/// calls its files (`IMG_2041`), identifiers and the words that all files share
/// (``FileNameContext``) are not names. Field recorders' words with numbers (`T001`, `ZOOM0002`)
/// count takes. A last number of up to four digits, in brackets or not, counts parts, or people:
/// ``NumberedFiles`` finds out. What is left is whose it is: the file's folder where nothing is.
/// Where nothing but how it is coded is left, as in `face_480x480_30_h264`, these words are whose it
/// is, and files that differ in the rest are different people's.
struct FileNameParts {
  /// Whose it is, as it is written, and without what counts.
  private(set) var person = ""
  /// The same for who writes it otherwise.
  private(set) var key = ""
  /// What it is; nil where no word says so.
  private(set) var kind: TrackKind?
  /// Which part of it; nil where nothing says so.
  private(set) var part: Int?
  /// The date and time in the name.
  private(set) var anchor: Anchor?
  /// The time of ``anchor``.
  var time: MediaTime? { anchor?.time }
  /// True if the folder names the person, and if it does for several folders of one person each.
  private(set) var (isFolders, isOwners) = (false, false)
  /// The day on which it was, where no time stands beside it.
  private(set) var day: MediaTime?
  /// Whether a camera has named it.
  private(set) var isCameras = false
  /// What counts parts or people; nil where nothing does, or only parts.
  private(set) var count: Count?

  /// A number or a time that may distinguish people as well as parts of one recording.
  struct Count: Hashable {
    /// What is counted.
    enum Word {
      /// People by their role: `guest 2`.
      case role
      /// Anything: `recording 2`.
      case thing
      /// What somebody, or a folder, has by name: `ada 2`.
      case name
      /// Takes of what is named by its kind and a time: `webcam1712345678901`.
      case take
      /// Nothing: `camera 2`, `IMG_2041`.
      case nothing
    }

    let word: Word
    /// What distinguishes it from others.
    let member: String
    /// The number; nil for a time.
    let number: Int?
    /// Whose it is if it counts people.
    let person: String
  }

  /// What orders the parts of a person's recording.
  var moment: MediaTime? { time ?? day }

  init(_ path: String, in context: FileNameContext = FileNameContext()) {
    let whole = MediaNames.stem(path)
    let folder = FileNameContext.owner(path)
    var undated = takeMoment(whole, in: MediaNames.folders(path))
    if !context.hasFolderDates, anchor?.source != Self.source { anchor = nil }
    // Names with dates need no counts to differ: what has one began beside its namesake.
    if moment != nil { undated.dropCounts() }
    let stem = undated.text
    var words = context.words(of: undated, at: path)
    let isShort = words.count < stem.split(whereSeparator: Self.isSeparator).count
    takeTake(&words)
    let isTake = part != nil
    // After a date, long numbers are lengths and identifiers.
    let names = words.filter { word in
      !NameWords.copies.contains(word.lowercased())
        && (moment == nil || word.utf8.count < 6 || !Self.isDigits(word[...])
          || NumberedFiles.isPiece(path))
    }
    if moment != nil || names.contains(where: NameWords.isName) { words = names }
    // Telephones write who called before the contact.
    if moment != nil, let first = words.first, NameWords.directions.contains(first.lowercased()),
      words.dropFirst().contains(where: NameWords.isName)
    {
      words.removeFirst()
    }
    let wordCount = words.count
    let camera = takeCamera(&words)
    let first = undated.before.split(whereSeparator: Self.isSeparator).first ?? ""
    isCameras = words.count < wordCount || NameWords.datedCameras.contains(first.lowercased())
    // Cameras and phones have clocks of their own.
    if isCameras, case .wall(let pattern)? = anchor?.clock { anchor?.clock = .device(pattern) }
    var number = camera ?? takeNumber(&words, path, isAfterName: isShort)
    var (kinds, rest) = Self.splitKinds(words)
    if isTake, rest.count == 1, Self.isNumber(rest[0][...]) { rest[0] = "Track \(rest[0])" }
    if number == nil, rest.count > 1, NameWords.count(rest[rest.count - 2]) != nil {
      number = Self.isNumber(rest[rest.count - 1][...]) ? rest.removeLast() : nil
    }
    kind = SourceWords(kinds.joined(separator: " ")).kind
    let separator = stem.first(where: Self.isSeparator).map(String.init) ?? "-"
    let (name, kindName) = (rest.joined(separator: separator), kinds.joined(separator: separator))
    guard kinds.isEmpty || !Self.sayCoding(rest) else {
      (person, key) = (kindName, Self.folded(stem))
      return
    }
    let counts = rest.map(NameWords.count)
    let isFoldersOwn = context.owners.contains(MediaNames.folders(path).joined(separator: "/"))
    let isAnybody =
      rest.isEmpty || moment != nil && number == nil && !counts.contains(nil)
      || isFoldersOwn && !rest.contains(where: NameWords.isName)
    isFolders =
      isAnybody && !folder.isEmpty
      && (moment == nil || isCameras || !kinds.isEmpty || isFoldersOwn)
    isOwners = isFolders && isFoldersOwn
    let owner: String? = isAnybody ? (isFolders ? folder : nil) : name
    let word: Count.Word =
      switch counts.last ?? nil {
      case .people where number != nil: .role
      case .things: .thing
      default: owner != nil ? .name : kinds.isEmpty || number != nil ? .nothing : .take
      }
    if let number, camera == nil || isAnybody {
      count = Count(
        word: word, member: "\(Int(number) ?? 0)", number: Int(number),
        person: isAnybody ? whole : "\(name)\(separator)\(number)")
    } else if let number {
      part = (Int(number) ?? 0) *| 100 +| (part ?? 0)
    } else if let moment, owner == nil {
      count = Count(word: word, member: "\(moment)", number: nil, person: whole)
    }
    let isPlain =
      kinds.isEmpty && number == nil && part == nil && moment == nil && !isShort && !isOwners
    person = isPlain || owner == nil && count == nil ? whole : owner ?? name
    if person.isEmpty { person = kinds.isEmpty ? whole : kindName }
    key = Self.folded(owner != nil || !rest.isEmpty ? person : count == nil ? whole : "")
    // Anything is counted in each folder by itself.
    if count != nil, [.thing, .take, .nothing].contains(word) { key = "\(folder)/\(key)" }
  }

  /// A name without its date.
  struct Undated {
    /// The text before the date and after it, and the date of the folder where the name has none.
    var before = ""
    var after = ""
    var folder: MediaTime?
    /// The whole.
    var text: String { after.isEmpty ? before : "\(before)-\(after)" }

    /// Drops the `(2)` that programs write where a name is taken.
    mutating func dropCounts() {
      let count = #/[ _]?\(\d+\)$/#
      (before, after) = (before.replacing(count, with: ""), after.replacing(count, with: ""))
    }
  }

  /// The name of the file at `path` without its date.
  static func withoutMoment(_ path: String) -> Undated {
    var parts = FileNameParts()
    var name = parts.takeMoment(MediaNames.stem(path), in: MediaNames.folders(path))
    if parts.anchor?.source != source { name.folder = parts.time }
    return name
  }

  private init() {}

  /// Takes the date and time out of `name`, and a later one, which is the end; else that of the
  /// folder.
  private mutating func takeMoment(_ name: String, in folders: [String]) -> Undated {
    guard let first = Self.moment(in: Array(name.utf8), Self.date(of: folders)) else {
      anchor = folders.last.flatMap { Self.moment(in: Array($0.utf8), nil)?.anchor }
      anchor?.source = "the date of its folder"
      return Undated(before: name)
    }
    (anchor, day) = (first.anchor, first.day)
    guard let begin = first.anchor, let second = Self.moment(in: Array(first.after.utf8), nil),
      let end = second.anchor, end.clock == begin.clock, end.time > begin.time
    else { return Undated(before: first.before, after: first.after) }
    let after = Undated(before: second.before, after: second.after).text
    return Undated(before: first.before, after: after)
  }

  /// The first date and time in a name, or the first date, and the text on both sides.
  private static func moment(
    in bytes: [UInt8], _ date: String?
  ) -> (anchor: Anchor?, day: MediaTime?, before: String, after: String)? {
    for start in bytes.indices where isDigit(bytes[start]) {
      guard start == 0 || !isDigit(bytes[start - 1]) else { continue }
      let rest = bytes[start...]
      let before = String(decoding: bytes[..<start], as: UTF8.self)
      func after(_ count: Int) -> String { String(decoding: rest.dropFirst(count), as: UTF8.self) }
      func anchor(_ time: MediaTime, _ count: Int, hasSeconds: Bool) -> Anchor {
        let text = String(decoding: rest.prefix(count), as: UTF8.self)
        return self.anchor(time, text, hasSeconds: hasSeconds)
      }
      if let found = WallTime.scan(rest, before: NameWords.at, isLoose: true) {
        // Letters right after it are no word.
        let letters = rest.dropFirst(found.count).prefix { (97...122).contains($0 | 0x20) }.count
        return (
          anchor(found.time, found.count, hasSeconds: found.hasSeconds), nil,
          before, after(found.count + (letters < 4 ? letters : 0))
        )
      }
      if let found = epoch(rest) { return (found.anchor, nil, before, after(found.count)) }
      if let date, rest.dropFirst(2).first.map(isDigit) == false,
        let found = WallTime.scan(Array(date.utf8)[...] + rest), found.count > date.utf8.count
      {
        let count = found.count - date.utf8.count
        return (anchor(found.time, count, hasSeconds: true), nil, before, after(count))
      }
      if let found = WallTime.day(rest),
        rest.dropFirst(found.count).first.map(isDigit) != true
      {
        return (nil, found.time, before, after(found.count))
      }
    }
    return nil
  }

  /// The date, or year and month, that the innermost of `folders` are, as a time goes on with it.
  private static func date(of folders: [String]) -> String? {
    let name = folders.suffix(3).joined(separator: "-")
    for digits in [name, folders.suffix(1).joined(), folders.suffix(2).joined(separator: "-")] {
      let isMonth = digits.utf8.count == 7
      let bytes = Array((isMonth ? digits + "-01" : digits).utf8)
      guard let found = WallTime.day(bytes[...]), found.count == bytes.count else { continue }
      return isMonth ? "\(digits)-" : "\(digits)T"
    }
    return nil
  }

  /// Takes the words with numbers by which field recorders count scenes and takes (`S001T02`,
  /// `ZOOM0001`), and cinema cameras reels and clips (`A001_C002`), of which the camera's letter is
  /// left, as far as other words are left.
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
      } else if NameWords.fieldRecorders.contains(words[index].lowercased()), next.count == 4,
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
      others.contains(where: { NameWords.isName($0) || Self.isNumber($0[...]) })
    else { return }
    words = others
    part = numbers.suffix(3).reduce(0) { $0 * 10_000 + $1 }
  }

  /// The numbers of a word such as `T002` or `S001T02`; `nil` for others.
  private static func takes(in word: String) -> [Int]? {
    var (rest, numbers) = (word[...], [Int]())
    while !rest.isEmpty {
      let letters = rest.prefix { $0.isLetter }
      let digits = rest.dropFirst(letters.count).prefix { $0.isASCII && $0.isNumber }
      guard NameWords.takes.contains(letters.lowercased()), (1...4).contains(digits.count) else {
        return nil
      }
      numbers.append(Int(digits) ?? 0)
      rest = rest[digits.endIndex...]
      // Alone, `S01` is a subject of a study, and `T1` may be one.
      let isAlone = rest.isEmpty && numbers.count == 1
      if isAlone, letters.lowercased() == "s" || letters.count == 1 && digits.count < 3 {
        return nil
      }
    }
    return numbers
  }

  /// Takes what a camera calls its files from the end: its number, where there is one.
  private mutating func takeCamera(_ words: inout [String]) -> String? {
    // A letter after the number says which lens it was.
    if words.count > 2, words[words.count - 1].count == 1,
      Self.isDigits(words[words.count - 2][...]),
      NameWords.cameras.contains(words[words.count - 3].lowercased())
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
      NameWords.cameras.contains(words[words.count - 2].lowercased())
    {
      words.removeLast(2)
      return String(digits)
    }
    if isNumbered, NameWords.clips.contains(letters) {
      words.removeLast()
      // GoPro numbers the chapters of a recording before the recording.
      guard letters.count == 2, letters.hasPrefix("g"), digits.count == 6 else {
        if let before = words.last?.lowercased(), NameWords.cameras.contains(before) {
          words.removeLast()
        }
        return String(digits)
      }
      part = Int(digits.prefix(2))
      return String(digits.suffix(4))
    }
    if moment != nil, NameWords.cameras.contains(last.lowercased()), last.lowercased() != "sam" {
      words.removeLast()
    }
    return nil
  }

  /// Takes the number at the end, and the word for parts before it.
  private mutating func takeNumber(
    _ words: inout [String], _ path: String, isAfterName: Bool
  ) -> String? {
    guard let last = words.last else { return nil }
    let isPiece = NumberedFiles.isPiece(path)
    var digits = last[...]
    if isPiece { digits = last.suffix(while: { $0.isASCII && $0.isNumber }) }
    guard Self.isDigits(digits), digits.count < (isPiece ? 10 : 5),
      words.count > 1 || digits.count < last.count || isCameras
        || isAfterName && moment == nil && part == nil
    else { return nil }
    words.removeLast()
    if digits.count < last.count { words.append(String(last.dropLast(digits.count))) }
    guard let before = words.last, NameWords.parts.contains(before.lowercased()) else {
      return String(digits)
    }
    if words.count > 1 { words.removeLast() }
    part = Int(digits)
    return nil
  }

  private static func folded(_ name: String) -> String {
    name.lowercased().split(whereSeparator: isSeparator).joined(separator: " ")
  }

  /// Whether words say how a file is coded, and nothing else: its size, codec, rate and the like.
  private static func sayCoding(_ words: [String]) -> Bool {
    words.contains(where: NameWords.isCoding)
      && words.allSatisfy { NameWords.isCoding($0) || isNumber($0[...]) }
  }

  private static func isNumber(_ word: Substring) -> Bool { isDigits(word) && word.count < 6 }

  private static func isDigits(_ word: Substring) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// The words at the beginning or the end that say what it is, and the others. Where there are
  /// some at both ends, as in `audio-longer-than-video`, it is a title that says nothing.
  private static func splitKinds(_ words: [String]) -> (kinds: [String], rest: [String]) {
    func isKind(_ index: Int) -> Bool {
      let isRecording = NameWords.recordings.contains(words[index].lowercased())
      return SourceWords.isKind(words[index])
        || isRecording && index > 0 && SourceWords.isKind(words[index - 1])
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

  /// Seconds, milliseconds or microseconds since 1970; seconds between 2014 and 2033, others between
  /// 2001 and 2096.
  private static func epoch(_ bytes: ArraySlice<UInt8>) -> (count: Int, anchor: Anchor)? {
    let digits = bytes.prefix(while: isDigit)
    let text = String(decoding: digits, as: UTF8.self)
    let (unit, resolution): (Numeral.TimeUnit, MediaTime)
    switch digits.count {
    case 10 where ("14"..<"20").contains(text.prefix(2)):
      (unit, resolution) = (.seconds, Anchor.second)
    case 13: (unit, resolution) = (.milliseconds, Anchor.millisecond)
    case 16: (unit, resolution) = (.microseconds, Anchor.microsecond)
    default: return nil
    }
    guard ("1"..."3").contains(text.prefix(1)), let time = Numeral(text)?.time(unit) else {
      return nil
    }
    return (
      digits.count,
      Anchor(
        .created, .wall("\(Placement.names)\(digits.count) digits"), time, within: resolution,
        source: source)
    )
  }

  /// The anchor of a date that is written as `text`.
  private static func anchor(_ time: MediaTime, _ text: String, hasSeconds: Bool) -> Anchor {
    // The hour may have one digit or two, and both halves of the day are one clock's.
    let pattern = text.split(whereSeparator: \.isNumber).joined(separator: "0")
      .replacing(#/[\s\h]*[AaPp][Mm]$/#, with: "")
    let resolution =
      time.nanoseconds % 1_000_000_000 != 0
      ? Anchor.millisecond : hasSeconds ? Anchor.second : MediaTime(seconds: 60)
    return Anchor(
      .created, .wall("\(Placement.names)\(pattern)"), time, within: resolution, source: source)
  }

  private static let source = "the date in its name"
}

extension StringProtocol {
  /// The longest end of which all satisfies `condition`.
  fileprivate func suffix(while condition: (Character) -> Bool) -> SubSequence {
    self[(lastIndex { !condition($0) }.map(index(after:)) ?? startIndex)...]
  }
}
