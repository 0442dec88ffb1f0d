/// The words and folders that a list of files shares. ``FileNameParser`` needs them to find names.
struct SharedFileNameParts {
  /// The words shared by the beginnings and the ends of all names, in lower case.
  private var (first, last) = ([String](), [String]())
  /// The folders that name the participant, because no file name in them does.
  private(set) var owners: Set<String> = []
  /// True if the folders' names contain different dates.
  private(set) var hasFolderDates = false
  /// The folder in which only identifiers before the dates distinguish the files; `nil` if none or
  /// several.
  private(set) var identified: String?

  /// Creates a context without shared words.
  init() {}

  /// Computes the context of the files at `paths`.
  init(_ paths: [String]) {
    let names = paths.map(FileNameParser.withoutMoment)
    hasFolderDates = Set(names.map(\.folder)).count > 1
    let folders = Dictionary(grouping: zip(paths, names)) { Self.folder($0.0) }
    let identified = folders.filter { _, files in
      Set(files.map { Self.plain($0.1.before) }).count == 1
        && Set(files.map(\.1.before)).count > 1 && Self.isName(Self.plain(files[0].1.before))
    }
    // If several folders are like this, the folders name the participants instead.
    if identified.count == 1 { self.identified = identified.first?.key }
    let keeps = folders.count == identified.count && self.identified != nil
    let files = zip(paths, names).map { path, name in
      (
        folder: Self.owner(path), path: Self.folder(path),
        words: Self.words(name, keeps: Self.folder(path) == self.identified)
      )
    }
    let all = files.map { $0.words.map { $0.lowercased() } }
    guard let one = all.first, all.count > 1 else { return }
    first = Array(
      one.indices.prefix { index in all.allSatisfy { $0.dropFirst(index).first == one[index] } }
        .map { one[$0] })
    let ends = all.map { Array($0.dropFirst(first.count).reversed()) }
    let end = ends.first ?? []
    last = end.indices.prefix { index in ends.allSatisfy { $0.dropFirst(index).first == end[index] }
    }
    .map { end[$0] }.reversed()
    let owners = Set(files.map(\.folder))
    let hasFolders = owners.count > 1 && !owners.contains("")
    let named = all.map { words in
      let own = words.dropFirst(first.count).dropLast(last.count)
      return keeps ? !own.isEmpty : Self.isName(own)
    }
    if !named.allSatisfy({ $0 }), !hasFolders || named.contains(true) { (first, last) = ([], []) }
    guard owners.count > 1 else { return }
    for (folder, members) in Dictionary(grouping: files, by: \.path)
    where !members.contains(where: { Self.isName(withoutShared($0.words)[...]) }) {
      self.owners.insert(folder)
    }
  }

  /// Returns the folder that may name the participant of the file at `path`: the nearest one that
  /// is a name, otherwise the nearest one; empty if there is none.
  static func owner(_ path: String) -> String {
    let folders = FileNameClassifier.folders(path)
      .filter { !FileNameKeywords.isCardFolder($0) }
    return folders.last(where: FileNameKeywords.isName) ?? folders.last ?? ""
  }

  private static func isName(_ words: some Sequence<String>) -> Bool {
    words.contains(where: FileNameKeywords.isName)
  }

  /// Returns the words of a name without those that all names begin or end with; empty if it has no
  /// others. Identifiers are left out as well if a word that can be a name remains; in the folder
  /// ``identified``, those before the date stay.
  func words(of name: FileNameParser.NameWithoutDate, at path: String) -> [String] {
    withoutShared(Self.words(name, keeps: Self.folder(path) == identified))
  }

  private static func folder(_ path: String) -> String {
    FileNameClassifier.folders(path).joined(separator: "/")
  }

  private static func words(_ name: FileNameParser.NameWithoutDate, keeps: Bool) -> [String] {
    guard keeps else { return plain(name.text) }
    let after = plain(name.after).filter { !FileNameKeywords.isIdentifier($0.lowercased()) }
    return name.before.split(whereSeparator: FileNameParser.isSeparator).map(String.init) + after
  }

  private func withoutShared(_ words: [String]) -> [String] {
    guard words.count >= first.count + last.count,
      zip(words, first).allSatisfy({ $0.lowercased() == $1 }),
      zip(words.suffix(last.count), last).allSatisfy({ $0.lowercased() == $1 })
    else { return words }
    return Array(words.dropFirst(first.count).dropLast(last.count))
  }

  /// Returns the words of a name without UUIDs and other identifiers, unless no name would remain.
  ///
  /// If `isWhole` is false, UUIDs are removed even if nothing else remains, and other identifiers
  /// stay.
  static func plain(_ stem: String, isWhole: Bool = true) -> [String] {
    var words = stem.split(whereSeparator: FileNameParser.isSeparator).map { word in
      // `ada (2)` is read as `ada 2`.
      let inner = word.dropFirst().dropLast()
      let isCount = word == "(\(inner))" && !inner.isEmpty && inner.allSatisfy(\.isNumber)
      return String(isCount ? inner : word)
    }
    let lengths = [8, 4, 4, 4, 12]
    var index = 0
    while index + lengths.count <= words.count {
      let group = words[index..<(index + lengths.count)]
      if zip(group, lengths).allSatisfy({ $0.utf8.count == $1 && $0.allSatisfy(\.isHexDigit) }),
        words.count > lengths.count || !isWhole
      {
        words.removeSubrange(index..<(index + lengths.count))
      } else {
        index += 1
      }
    }
    guard isWhole else { return words }
    let others = words.filter { word in
      !FileNameKeywords.isIdentifier(word.lowercased()) || !word.contains(where: \.isLetter)
    }
    return others.contains(where: FileNameKeywords.isName) ? others : words
  }
}
