import TesseraDocuments
import TesseraTimeline

/// A plain folder or list of media files, of which only the names say anything.
///
/// ``FileNameParts`` says what a name says. Files are one participant's
/// - where they have the same person and each has a word for its kind, a number for its part or a
///   time: `ada-camera.webm`, `ada-mic.wav` and `ada-screen.mp4`, or `ada-1.webm` and `ada-2.webm`;
/// - where one has no such word, and all others have: `ada.webm` and `ada-screen.mp4`;
/// - where they differ in their extensions only, one of which is of sound and one of pictures.
///
/// Of files that begin in one moment by their names and are equally long, the largest is taken: the
/// others are the same in other containers or sizes.
///
/// The title of a file's streams says whose it is before its folder and its name do, and a file of
/// several people is several participants (``SharedFile``). What a number counts, ``NumberedFiles``
/// finds out, and a note says. Parts of a kind are after each other, by their numbers or their
/// times; dates are anchors (``Placement``). Where a person has
/// a microphone of its own, the camera's sound is not heard as well. What has everyone in it by its
/// name (`gallery`, `composite`, `mixed`, Zoom's `GMT…_Recording`) is left out of a folder, unless
/// nothing else has pictures: then it is all that is taken.
enum FilesImporter: Importer {
  static let format = "files"
  static let summary = "plain media files, one participant each unless their names say otherwise"

  static func score(_ folder: ImportFolder) -> Int {
    let isThere = folder.source.isList ? !folder.source.files.isEmpty : !folder.mediaFiles.isEmpty
    return folder.source.manifest == nil && isThere ? 10 : 0
  }

  /// A file and what its name says.
  private struct Named {
    let path: String
    let parts: FileNameParts
    /// Whose it is, and the same for who writes it otherwise.
    var (person, key): (String, String)
    /// Which part of it.
    var part: Int?
    /// The source of the person's name.
    var source: String
    /// The header of the file; `nil` if it was not read.
    let header: RecordingSource.Span?
    /// False if it was recorded beside the participant's other files.
    var follows = true
    var isSound: Bool { MediaNames.kind(path) == .audio }
    /// Whether the name says what it is of the person's, not only whose.
    var saysWhat: Bool {
      parts.kind != nil || part != nil || parts.moment != nil || !follows
    }
    /// The path without its extension.
    private var stem: Substring {
      path.prefix(path.count - MediaNames.fileExtension(path).count)
    }
    /// Equal for files that begin together by their names.
    var beginning: String {
      let sign = [part, parts.count?.number].map { $0.map(String.init) ?? "" }.joined(
        separator: " ")
      return
        "\(key)/\(sign)/\(parts.time.map { "\($0)" } ?? stem)/\(isSound)/\(parts.kind?.rawValue ?? "")"
    }

    init(_ path: String, _ header: RecordingSource.Span?, in context: FileNameContext) {
      (self.path, self.header) = (path, header)
      parts = FileNameParts(path, in: context)
      (person, key, part) = (parts.person, parts.key, parts.part)
      source = parts.isFolders ? "its folder" : "its file's name"
    }

    /// True if both lengths are known and agree.
    func isAsLong(as other: Named) -> Bool {
      guard let length = header?.duration, let second = other.header?.duration, length > .zero
      else {
        return false
      }
      let tolerance = MediaTime(nanoseconds: 100_000_000 +| length.nanoseconds / 500)
      return max(length, second) - min(length, second) <= tolerance
    }

    /// Takes a title for the person's name.
    mutating func take(title: String) {
      (person, key, source) = (title, "title \(title.lowercased())", "the title of its stream")
      part = part ?? parts.count?.number
    }

    /// Takes what counts for the person's, or for the number of a part.
    mutating func take(_ verdict: NumberedFiles.Verdict) {
      guard let count = parts.count, !key.hasPrefix("title ") else { return }
      switch verdict {
      // A number is nobody's name in somebody's folder.
      case .people where parts.isOwners: follows = false
      case .people: (person, key) = (count.person, "\(key) \(count.member)")
      case .parts: part = count.number.map { $0 * 100 + (part ?? 0) }
      }
    }
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    let isList = folder.source.isList
    var all = (isList ? folder.source.files : folder.mediaFiles).map(\.path)
    var builder = RecordingBuilder()
    takeParts(&all, folder.source, &builder)
    // A file that is named is meant.
    let previews = isList ? [] : all.filter { isPreview(MediaNames.stem($0)) }
    if previews.count < all.count {
      all.removeAll(where: previews.contains)
      for preview in previews.prefix(20) {
        builder.leaveOut(preview, "by its name it is a preview; name the files to have it.")
      }
    }
    let mixes = isList ? [] : all.filter { isMix(MediaNames.stem($0)) }
    let others = mixes.count < all.count ? all.filter { !mixes.contains($0) } : all
    guard others.count <= Recording.maximumTracks else {
      throw folder.error(
        "it holds more than \(Recording.maximumTracks) media files; name those that are meant")
    }
    guard !all.isEmpty else { throw folder.nothing }
    if others.count < all.count {
      if try builder.addMix(of: mixes, replacing: others) {
        return try builder.finish(isWallClock: false, folder: folder)
      }
      for mix in mixes.prefix(20) {
        builder.leaveOut(
          mix, "by its name everyone is mixed in there already; name the files to have it.")
      }
    }
    let context = FileNameContext(others)
    let looked = others.count <= mostHeaders && !others.allSatisfy(NumberedFiles.isPiece)
    let headers = looked ? folder.source.headers(others) : []
    var files: [Named] = []
    for (index, path) in others.enumerated() {
      let header = headers.indices.contains(index) ? headers[index] : nil
      if let shared = SharedFile(path, header, folder.source.streams) {
        try shared.add(to: &builder)
      } else {
        files.append(Named(path, header, in: context))
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
      let names = parts.count > 1 ? " to \(MediaNames.fileName(last))" : ""
      builder.note(
        "\(file) and \(MediaNames.fileName(parts[0]))\(names) are read as one recording, because only "
          + "the first has a header.")
      for part in parts { builder.leaveOut(part) }
    }
    files.removeAll(where: later.contains)
  }

  /// The most files whose headers are read for titles.
  private static let mostHeaders = 1000

  /// Takes the titles of streams for names, unless all files have the same one.
  private static func takeTitles(_ files: inout [Named]) {
    let titles = files.map { SharedFile.title(of: $0.header) }
    guard files.count == 1 || Set(titles).count > 1 else { return }
    for (index, title) in titles.enumerated() { if let title { files[index].take(title: title) } }
  }

  /// Leaves out what others say in better quality, and lets what else begins with them not follow.
  private static func leaveOutCopies(
    _ files: inout [Named], _ source: RecordingSource, _ builder: inout RecordingBuilder
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
            "\(MediaNames.fileName(files[same].path)) begins with it and is as long; name the files to "
              + "have both.")
        } else {
          files[index].follows = taken.isEmpty || files[index].parts.time == nil
          taken.append(index)
        }
      }
    }
    files = files.indices.filter { !copies.contains($0) }.map { files[$0] }
  }

  /// Whether a name says that everyone is in the file: such a word, or Zoom's names.
  private static func isMix(_ stem: String) -> Bool {
    let words = stem.lowercased().split { " -_.".contains($0) }.map(String.init)
    return ZoomLocal.isMix(stem) || words.contains(where: NameWords.mixes.contains)
  }

  /// True for names of previews of other files.
  private static func isPreview(_ stem: String) -> Bool {
    stem.lowercased().split { " -_.".contains($0) }.contains {
      NameWords.previews.contains(String($0))
    }
  }

  /// Finds out what numbers and times count, and says so.
  private static func count(
    _ files: inout [Named], _ source: RecordingSource, _ builder: inout RecordingBuilder
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
      let finding = NumberedFiles(word: first.word, files: known(indices.map { files[$0] }, source))
        .finding
      let names = indices.map { MediaNames.fileName(files[$0].path) }
      let list =
        names.count > 3
        ? "\(names[0]) and \(names.count - 1) more like it"
        : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
      for index in indices { files[index].take(finding.verdict) }
      switch finding.verdict {
      case .people:
        builder.note(
          "\(list) are taken for different people's, because \(finding.reason); where they are parts "
            + "of one recording, call them NAME-part-1, NAME-part-2.")
      case .parts:
        builder.note(
          "\(list) are taken for parts of one recording that follow each other, because "
            + "\(finding.reason); where they are different people's, call them by their people.")
      }
    }
  }

  /// What is known of those of `files` whose kind the most of them have.
  private static func known(
    _ files: [Named], _ source: RecordingSource
  ) -> [NumberedFiles.File] {
    let kinds = Dictionary(grouping: files) { $0.parts.kind }
    let most = kinds.values.max { ($0.count, $1[0].path) < ($1.count, $0[0].path) } ?? files
    let sorted = most.sorted { first, second in
      let (a, b) = (first.parts, second.parts)
      return (a.count?.number ?? 0, a.part ?? 0, a.moment ?? .zero)
        < (b.count?.number ?? 0, b.part ?? 0, b.moment ?? .zero)
    }
    let paths = sorted.map(\.path)
    let spans =
      paths.allSatisfy(NumberedFiles.isPiece) ? paths.map { _ in nil } : source.spans(paths)
    // Clocks of one kind only can be compared: who names files may write the time of the place. A
    // moment that all have is that of the first.
    let moments = Set(sorted.map(\.parts.time))
    var starts =
      !moments.contains(nil) && (moments.count > 1 || sorted.count == 1)
      ? sorted.map(\.parts.time) : spans.map { $0?.clock }
    if starts.contains(nil) { starts = spans.map { $0?.timeCode } }
    // Containers whose times go on from file to file are one clock.
    let containers = spans.map { $0?.start }
    if starts.contains(nil), !containers.contains(nil),
      zip(containers, containers.dropFirst()).allSatisfy({ ($0 ?? .zero) < ($1 ?? .zero) })
    {
      starts = containers
    }
    // The chapters of one recording are one file.
    var files: [NumberedFiles.File] = []
    var last: Int?
    for index in paths.indices {
      let number = sorted[index].parts.count?.number
      if let number, number == last, let before = files.last {
        let length = spans[index]?.duration
        files[files.count - 1].duration = before.duration.flatMap { sum in length.map { sum + $0 } }
      } else {
        files.append(
          NumberedFiles.File(
            path: paths[index], duration: spans[index]?.duration, start: starts[index]))
      }
      last = number
    }
    return files
  }

  /// The files of each person, in the order of each person's first file.
  private static func people(_ files: [Named]) -> [[Named]] {
    var groups: [[Named]] = []
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

  /// Notes people whose names differ only in numbers or single letters beside a name.
  private static func noteDoubts(
    _ groups: [[Named]], _ context: FileNameContext, _ builder: inout RecordingBuilder
  ) {
    let named = groups.compactMap { group -> (like: String, name: String)? in
      guard let file = group.first, file.parts.count == nil, file.source == "its file's name" else {
        return nil
      }
      let words = FileNameContext.plain(file.person)
      let plain = words.map { $0.count < 2 || $0.contains(where: \.isNumber) ? "#" : $0 }
      if MediaNames.folders(file.path).joined(separator: "/") == context.identified {
        return ("#", file.person)
      }
      guard plain.contains("#"), plain.contains(where: NameWords.isName) else { return nil }
      return (plain.joined(separator: " ").lowercased(), file.person)
    }
    for (_, members) in Dictionary(grouping: named, by: \.like).sorted(by: { $0.key < $1.key })
    where members.count > 1 {
      let more = members.count > 2 ? " and \(members.count - 2) more like them" : ""
      builder.note(
        "\(members[0].name) and \(members[1].name)\(more) are taken for different people's, whose "
          + "names differ in numbers, letters or identifiers only; where they are parts of one recording, "
          + "call them NAME-part-1, NAME-part-2.")
    }
  }

  private static func isOnePerson(_ files: [Named]) -> Bool {
    let silent = files.filter { !$0.saysWhat }
    switch silent.count {
    case 0, 1: return true
    case 2: return silent.count(where: \.isSound) == 1 && areOfOneStem(silent)
    default: return false
    }
  }

  private static func areOfOneStem(_ files: [Named]) -> Bool {
    Set(files.map { $0.path.prefix($0.path.count - MediaNames.fileExtension($0.path).count) })
      .count == 1
  }

  private static func add(
    _ files: [Named], _ folder: ImportFolder, to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let stem = MediaNames.stem(files[0].path)
    // Alone, a number says nothing of parts: `take-2.webm` is called as it is.
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
    // What `ada-audio.mp4` or `sound.ogg` is called says nothing of pictures that it may hold.
    let sounds = tracks.indices.filter { tracks[$0].1.kind == .microphone }
    if !tracks.contains(where: { $0.1.kind == .camera || $0.1.kind == .media }),
      sounds.contains(where: { MediaNames.mayHoldPictures(tracks[$0].0.path) })
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

  private static func track(_ file: Named, isAlone: Bool) -> Track {
    var kind = file.parts.kind ?? (isAlone ? .media : file.isSound ? .microphone : .camera)
    if file.isSound, kind == .camera { kind = .microphone }
    if file.isSound, kind == .screen { kind = .screenAudio }
    var track = Track(id: MediaNames.stem(file.path), file: file.path, kind: kind)
    track.anchors = [file.parts.anchor].compactMap { $0 }
    return track
  }
}
