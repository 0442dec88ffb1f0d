import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports a plain folder or list of media files by their names and headers.
///
/// ``FileNameParser`` parses each name. Files belong to one participant
/// - if they share a name and each has a word for its kind, a number for its part, or a time:
///   `ada-camera.webm`, `ada-mic.wav` and `ada-screen.mp4`, or `ada-1.webm` and `ada-2.webm`;
/// - if only one of them lacks such a word: `ada.webm` and `ada-screen.mp4`;
/// - if they differ only in their extensions, one for sound and one for pictures.
///
/// Of files that start together by their names and are equally long, only the largest is used: the
/// others are copies in other containers or sizes.
///
/// The title of a stream overrules the names of folders and files. A file with several participants
/// is split (``MultiParticipantFile``). ``NumberedFileClassifier`` decides what numbers count, and
/// a note states the decision. Parts of one kind follow each other by number or time; dates are
/// anchors (``TrackPlacer``). If a participant has a separate microphone, the camera's sound is
/// muted. Mixes of everyone by their names (`gallery`, `composite`, `mixed`, Zoom's
/// `GMT…_Recording`) are left out of a folder, unless nothing else has pictures; then only the mix
/// is used.
enum PlainFilesImporter: Importer {
  static let format = "files"

  static func score(_ folder: ImporterInput) -> Int {
    let isThere = folder.source.isList ? !folder.source.files.isEmpty : !folder.mediaFiles.isEmpty
    return folder.source.manifest == nil && isThere ? 10 : 0
  }

  /// A file with its parsed name and its header.
  private struct ParsedFile {
    let path: String
    let parts: FileNameParser
    /// The participant's name, and its normalized form for comparison.
    var (person, key): (String, String)
    /// The number of the part; `nil` if nothing states it.
    var part: Int?
    /// The source of the participant's name, in words.
    var source: String
    /// The header of the file; `nil` if it was not read.
    let header: RecordingSource.ContainerInfo?
    /// False if the file was recorded at the same time as the participant's other files.
    var follows = true
    var isSound: Bool { FileNameClassifier.kind(path) == .audio }
    /// True if the name distinguishes the file from the participant's other files, by kind, part or
    /// time.
    var saysWhat: Bool {
      parts.kind != nil || part != nil || parts.moment != nil || !follows
    }
    /// The path without its extension.
    var stem: Substring {
      path.prefix(path.count - FileNameClassifier.fileExtension(path).count)
    }
    /// A key that is equal for files that start together by their names.
    var beginning: String {
      let sign = [part, parts.count?.number].map { $0.map(String.init) ?? "" }.joined(
        separator: " ")
      return
        "\(key)/\(sign)/\(parts.time.map { "\($0)" } ?? stem)/\(isSound)/\(parts.kind?.rawValue ?? "")"
    }

    init(_ path: String, _ header: RecordingSource.ContainerInfo?, in context: SharedFileNameParts)
    {
      (self.path, self.header) = (path, header)
      parts = FileNameParser(path, in: context)
      (person, key, part) = (parts.person, parts.key, parts.part)
      source = parts.isFolders ? "its folder" : "its file's name"
    }

    /// True if both durations are known and differ by at most 0.1 s plus 0.2 % of this file's
    /// duration.
    func isAsLong(as other: ParsedFile) -> Bool {
      guard let length = header?.duration, let second = other.header?.duration, length > .zero
      else {
        return false
      }
      let tolerance = MediaTime(nanoseconds: 100_000_000 +| length.nanoseconds / 500)
      return max(length, second) - min(length, second) <= tolerance
    }

    /// Replaces the participant's name by the title of a stream.
    mutating func take(title: String) {
      (person, key, source) = (title, "title \(title.lowercased())", "the title of its stream")
      part = part ?? parts.count?.number
    }

    /// Uses the counter in the name as `verdict` states: for the participant or for the part.
    mutating func take(_ verdict: NumberedFileClassifier.NumberMeaning) {
      guard let count = parts.count, !key.hasPrefix("title ") else { return }
      switch verdict {
      // In a participant's folder, a number is not another participant.
      case .people where parts.isOwners: follows = false
      case .people: (person, key) = (count.person, "\(key) \(count.member)")
      case .parts: part = count.number.map { $0 * 100 + (part ?? 0) }
      }
    }
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    let isList = folder.source.isList
    var all = (isList ? folder.source.files : folder.mediaFiles).map(\.path)
    var builder = RecordingBuilder()
    takeParts(&all, folder.source, &builder)
    // A preview in a list was chosen by the user.
    let previews = isList ? [] : all.filter { isPreview(FileNameClassifier.stem($0)) }
    if previews.count < all.count {
      all.removeAll(where: previews.contains)
      for preview in previews.prefix(20) {
        builder.leaveOut(preview, "by its name it is a preview; list the files to use it.")
      }
    }
    let mixes = isList ? [] : all.filter { isMix(FileNameClassifier.stem($0)) }
    let others = mixes.count < all.count ? all.filter { !mixes.contains($0) } : all
    guard others.count <= Recording.maximumTracks else {
      throw folder.error(
        "it holds more than \(Recording.maximumTracks) media files; list the files to use")
    }
    guard !all.isEmpty else { throw folder.nothing }
    if others.count < all.count {
      if try builder.addMix(of: mixes, replacing: others) {
        return try builder.finish(isWallClock: false, folder: folder)
      }
      for mix in mixes.prefix(20) {
        builder.leaveOut(
          mix, "by its name it is a mix of everyone; list the files to use it.")
      }
    }
    let context = SharedFileNameParts(others)
    let looked = others.count <= mostHeaders && !others.allSatisfy(NumberedFileClassifier.isPiece)
    let headers = looked ? folder.source.headers(others) : []
    var files: [ParsedFile] = []
    for (index, path) in others.enumerated() {
      let header = headers.indices.contains(index) ? headers[index] : nil
      if let shared = MultiParticipantFile(path, header, folder.source.streams) {
        try shared.add(to: &builder)
      } else {
        files.append(ParsedFile(path, header, in: context))
      }
    }
    takeTitles(&files)
    leaveOutCopies(&files, folder.source, &builder)
    count(&files, folder.source, &builder)
    let groups = people(files)
    noteDoubts(groups, context, &builder)
    for person in groups { try add(person, folder, to: &builder) }
    return try builder.finish(zero: .zero, isWallClock: false, folder: folder)
  }

  /// Removes the files that are read as later parts of others, with a note.
  private static func takeParts(
    _ files: inout [String], _ source: RecordingSource, _ builder: inout RecordingBuilder
  ) {
    var later: Set<String> = []
    for file in files where !later.contains(file) {
      let parts = source.parts(file)
      guard let last = parts.last else { continue }
      later.formUnion(parts)
      let names = parts.count > 1 ? " to \(FileNameClassifier.fileName(last))" : ""
      builder.note(
        "\(file: file) and \(FileNameClassifier.fileName(parts[0]))\(names) are read as one recording, because only "
          + "the first has a header.")
      for part in parts { builder.leaveOut(part) }
    }
    files.removeAll(where: later.contains)
  }

  /// The maximum number of files whose headers are read for titles.
  private static let mostHeaders = 1000

  /// Uses titles of streams as names, unless all files have one title.
  private static func takeTitles(_ files: inout [ParsedFile]) {
    let titles = files.map { MultiParticipantFile.title(of: $0.header) }
    guard files.count == 1 || Set(titles).count > 1 else { return }
    for (index, title) in titles.enumerated() { if let title { files[index].take(title: title) } }
  }

  /// Leaves out smaller copies. Files that start together but are no copies do not follow each
  /// other.
  private static func leaveOutCopies(
    _ files: inout [ParsedFile], _ source: RecordingSource, _ builder: inout RecordingBuilder
  ) {
    let sizes = Dictionary(
      source.files.map { ($0.path, $0.size) }, uniquingKeysWith: { first, _ in first })
    var copies: Set<Int> = []
    for group in Dictionary(grouping: files.indices, by: { files[$0].beginning }).values {
      let sorted = group.sorted { first, second in
        (sizes[files[second].path] ?? 0, first) < (sizes[files[first].path] ?? 0, second)
      }
      var taken: [Int] = []
      for index in sorted {
        let same = source.isList ? nil : taken.first { files[$0].isAsLong(as: files[index]) }
        if let same {
          copies.insert(index)
          builder.leaveOut(
            files[index].path,
            "\(FileNameClassifier.fileName(files[same].path)) begins with it and is as long; name the files to "
              + "have both.")
        } else {
          files[index].follows = taken.isEmpty || files[index].parts.time == nil
          taken.append(index)
        }
      }
    }
    files = files.indices.filter { !copies.contains($0) }.map { files[$0] }
  }

  /// True if the name denotes a mix of everyone: by a word, or in Zoom's form.
  private static func isMix(_ stem: String) -> Bool {
    let words = stem.lowercased().split { " -_.".contains($0) }.map(String.init)
    return ZoomLocalImporter.isMix(stem) || words.contains(where: FileNameKeywords.mixes.contains)
  }

  /// True if the name denotes a preview of another file.
  private static func isPreview(_ stem: String) -> Bool {
    stem.lowercased().split { " -_.".contains($0) }.contains {
      FileNameKeywords.previews.contains(String($0))
    }
  }

  /// Decides whether numbers and times count participants or parts, and adds a note.
  private static func count(
    _ files: inout [ParsedFile], _ source: RecordingSource, _ builder: inout RecordingBuilder
  ) {
    let counted = files.indices.filter {
      files[$0].parts.count != nil && !files[$0].key.hasPrefix("title ")
    }
    let series = Dictionary(grouping: counted) { files[$0].key }
    for indices in series.values.sorted(by: { $0[0] < $1[0] }) {
      guard let first = files[indices[0]].parts.count else { continue }
      let members = Set(indices.compactMap { files[$0].parts.count?.member }).count
      guard members > 1 else {
        let isName = first.word == .name || first.word == .take
        for index in indices { files[index].take(isName ? .parts : .people) }
        continue
      }
      let finding = NumberedFileClassifier(
        word: first.word, files: known(indices.map { files[$0] }, source)
      )
      .finding
      let names = indices.map { FileNameClassifier.fileName(files[$0].path) }
      let list =
        names.count > 3
        ? "\(names[0]) and \(names.count - 1) more like it"
        : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
      for index in indices { files[index].take(finding.verdict) }
      switch finding.verdict {
      case .people:
        builder.note(
          "\(list) are treated as different participants, because \(finding.reason); if they are parts "
            + "of one recording, call them NAME-part-1, NAME-part-2.")
      case .parts:
        builder.note(
          "\(list) are treated as consecutive parts of one recording, because "
            + "\(finding.reason); if they are different participants, name the files after them.")
      }
    }
  }

  /// Returns the facts about the files of the most frequent kind, sorted by their numbers.
  private static func known(
    _ files: [ParsedFile], _ source: RecordingSource
  ) -> [NumberedFileClassifier.NumberedFile] {
    let kinds = Dictionary(grouping: files) { $0.parts.kind }
    let most = kinds.values.max { ($0.count, $1[0].path) < ($1.count, $0[0].path) } ?? files
    let sorted = most.sorted { first, second in
      let (a, b) = (first.parts, second.parts)
      return (a.count?.number ?? 0, a.part ?? 0, a.moment ?? .zero)
        < (b.count?.number ?? 0, b.part ?? 0, b.moment ?? .zero)
    }
    let paths = sorted.map(\.path)
    let spans =
      paths.allSatisfy(NumberedFileClassifier.isPiece)
      ? paths.map { _ in nil } : source.spans(paths)
    // Only clocks of one kind are comparable: a name may state local time. A time that all names
    // share belongs to the first file.
    let moments = Set(sorted.map(\.parts.time))
    var starts =
      !moments.contains(nil) && (moments.count > 1 || sorted.count == 1)
      ? sorted.map(\.parts.time) : spans.map { $0?.clock }
    if starts.contains(nil) { starts = spans.map { $0?.timeCode } }
    // Container times that increase from file to file are one clock.
    let containers = spans.map { $0?.start }
    if starts.contains(nil), !containers.contains(nil),
      zip(containers, containers.dropFirst()).allSatisfy({ ($0 ?? .zero) < ($1 ?? .zero) })
    {
      starts = containers
    }
    // The chapters of one recording count as one file.
    var files: [NumberedFileClassifier.NumberedFile] = []
    var last: Int?
    for index in paths.indices {
      let number = sorted[index].parts.count?.number
      if let number, number == last, let before = files.last {
        let length = spans[index]?.duration
        files[files.count - 1].duration = before.duration.flatMap { sum in length.map { sum + $0 } }
      } else {
        files.append(
          NumberedFileClassifier.NumberedFile(
            path: paths[index], duration: spans[index]?.duration, start: starts[index]))
      }
      last = number
    }
    return files
  }

  /// Returns the files of each participant, in the order of their first files.
  private static func people(_ files: [ParsedFile]) -> [[ParsedFile]] {
    var groups: [[ParsedFile]] = []
    var indices: [String: Int] = [:]
    for file in files {
      if let index = indices[file.key] {
        groups[index].append(file)
      } else {
        indices[file.key] = groups.count
        groups.append([file])
      }
    }
    return groups.flatMap { isOnePerson($0) ? [$0] : $0.map { [$0] } }
  }

  /// Adds a note about participants whose names differ only in numbers, single letters or
  /// identifiers.
  private static func noteDoubts(
    _ groups: [[ParsedFile]], _ context: SharedFileNameParts, _ builder: inout RecordingBuilder
  ) {
    let named = groups.compactMap { group -> (like: String, name: String)? in
      guard let file = group.first, file.parts.count == nil, file.source == "its file's name" else {
        return nil
      }
      let words = SharedFileNameParts.plain(file.person)
      let plain = words.map { $0.count < 2 || $0.contains(where: \.isNumber) ? "#" : $0 }
      if FileNameClassifier.folders(file.path).joined(separator: "/") == context.identified {
        return ("#", file.person)
      }
      guard plain.contains("#"), plain.contains(where: FileNameKeywords.isName) else { return nil }
      return (plain.joined(separator: " ").lowercased(), file.person)
    }
    for (_, members) in Dictionary(grouping: named, by: \.like).sorted(by: { $0.key < $1.key })
    where members.count > 1 {
      let more = members.count > 2 ? " and \(members.count - 2) more like them" : ""
      builder.note(
        "\(members[0].name) and \(members[1].name)\(more) are treated as different participants, whose "
          + "names differ only in numbers, letters or identifiers; if they are parts of one recording, "
          + "call them NAME-part-1, NAME-part-2.")
    }
  }

  private static func isOnePerson(_ files: [ParsedFile]) -> Bool {
    let silent = files.filter { !$0.saysWhat }
    switch silent.count {
    case 0, 1: return true
    case 2: return silent.count(where: \.isSound) == 1 && silent[0].stem == silent[1].stem
    default: return false
    }
  }

  private static func add(
    _ files: [ParsedFile], _ folder: ImporterInput, to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let stem = FileNameClassifier.stem(files[0].path)
    // A single file with a number is no part: `take-2.webm` keeps its name.
    let parts = files[0].parts
    let isAlone =
      files.count == 1 && parts.kind == nil && parts.count != nil && parts.time == nil
      && !parts.isCameras
      && files[0].source == "its file's name"
    let name = isAlone ? stem : files[0].person
    let id = builder.newPerson(name, source: files[0].source)
    var tracks = files.map { ($0, track($0, isAlone: files.count == 1)) }
    tracks.stableSort { first, second in
      if let x = first.0.part, let y = second.0.part, x != y { return x < y }
      if let x = first.0.parts.moment, let y = second.0.parts.moment { return x < y }
      return false
    }
    // `ada-audio.mp4` or `sound.ogg` may contain pictures in spite of the name.
    let sounds = tracks.indices.filter { tracks[$0].1.kind == .microphone }
    if !tracks.contains(where: { $0.1.kind == .camera || $0.1.kind == .media }),
      sounds.contains(where: { FileNameClassifier.mayHoldPictures(tracks[$0].0.path) })
    {
      for index in sounds { tracks[index].1.kind = .media }
    }
    let hasMicrophone = tracks.contains { $0.1.kind == .microphone }
    var last: [TrackKind: Track.ID] = [:]
    for (file, track) in tracks {
      var track = track
      if hasMicrophone, track.kind == .camera || track.kind == .media { track.isHeard = false }
      if file.follows, file.part != nil || file.parts.moment != nil {
        track.follow(last[track.kind])
      }
      try builder.add(track, to: id, at: DocumentError(file: file.path, reason: ""))
      last[track.kind] = builder.lastTrackID
    }
  }

  private static func track(_ file: ParsedFile, isAlone: Bool) -> Track {
    var kind = file.parts.kind ?? (isAlone ? .media : file.isSound ? .microphone : .camera)
    if file.isSound, kind == .camera { kind = .microphone }
    if file.isSound, kind == .screen { kind = .screenAudio }
    var track = Track(id: FileNameClassifier.stem(file.path), file: file.path, kind: kind)
    track.anchors = [file.parts.anchor].compactMap { $0 }
    return track
  }
}
