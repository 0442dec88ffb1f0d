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
/// Parts of a kind are after each other, by their numbers or their times. Everything else begins
/// together. Where a person has a microphone of its own, the camera's sound is not heard as well.
/// What has everyone in it by its name (`gallery`, `composite`, `mixed`, Zoom's `GMT…_Recording`)
/// is left out of a folder.
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
    var isSound: Bool { MediaNames.kind(path) == .audio }
    var saysWhat: Bool { parts.kind != nil || parts.part != nil || parts.time != nil }
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    let isList = folder.source.isList
    let all = isList ? folder.source.files : folder.mediaFiles
    // Who names a file means it.
    let mixes = isList ? [] : all.filter { isMix(MediaNames.stem($0.path)) }
    let leavesOut = !mixes.isEmpty && mixes.count < all.count
    let files = leavesOut ? all.filter { !isMix(MediaNames.stem($0.path)) } : all
    guard files.count <= Recording.maximumTracks else {
      throw folder.error(
        "it holds more than \(Recording.maximumTracks) media files; name those that are meant")
    }
    guard !files.isEmpty else { throw folder.nothing }
    var builder = RecordingBuilder()
    let people = people(files.map { Named(path: $0.path, parts: FileNameParts($0.path)) })
    for person in people { try add(person, folder, to: &builder) }
    // Nobody calls alone: they may well be several people whose names end in numbers.
    if people.count == 1, people[0].count > 1, people[0].allSatisfy({ $0.parts.part != nil }) {
      builder.note(
        "by their names all \(people[0].count) files are parts of one recording and follow each "
          + "other; where they are different people's, call them by their people.")
    }
    for mix in mixes.prefix(20) where leavesOut {
      builder.leaveOut(
        mix.path, "by its name everyone is mixed in there already; name the files to have it.")
    }
    return try builder.finish(zero: .zero, isWallClock: false, folder: folder)
  }

  private static let mixWords: Set<String> = [
    "composed", "composite", "gallery", "mixdown", "mixed",
  ]

  /// Whether a name says that everyone is in the file: such a word, or Zoom's names.
  private static func isMix(_ stem: String) -> Bool {
    let words = stem.lowercased().split { " -_.".contains($0) }.map(String.init)
    return ZoomLocal.isMix(stem) || words.contains(where: mixWords.contains)
  }

  /// The files of each person, in the order of each person's first file.
  private static func people(_ files: [Named]) -> [[Named]] {
    var groups: [[Named]] = []
    var indices: [String: Int] = [:]
    for file in files {
      let key = file.parts.key
      if let index = indices[key] {
        groups[index].append(file)
      } else {
        indices[key] = groups.count
        groups.append([file])
      }
    }
    return groups.flatMap { isOnePerson($0) ? [$0] : $0.map { [$0] } }
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
    let isAlone = files.count == 1 && files[0].parts.kind == nil && files[0].parts.part != nil
    let name = isAlone ? stem : files[0].parts.person
    let id = builder.newPerson(name)
    var tracks = files.map { ($0, track($0, isAlone: files.count == 1)) }
    tracks.stableSort { first, second in
      let (a, b) = (first.0.parts, second.0.parts)
      if let x = a.part, let y = b.part, x != y { return x < y }
      if let x = a.time, let y = b.time { return x < y }
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
      if file.parts.part != nil || file.parts.time != nil { track.follows = last[track.kind] }
      try builder.add(track, to: id, at: DocumentError(file: file.path, reason: ""))
      last[track.kind] = builder.lastTrackID
    }
  }

  private static func track(_ file: Named, isAlone: Bool) -> Track {
    var kind = file.parts.kind ?? (isAlone ? .media : file.isSound ? .microphone : .camera)
    if file.isSound, kind == .camera { kind = .microphone }
    if file.isSound, kind == .screen { kind = .screenAudio }
    var track = Track(id: MediaNames.stem(file.path), file: file.path, kind: kind)
    track.clockStart = file.parts.time.map { ClockStart($0, .name) }
    return track
  }
}
