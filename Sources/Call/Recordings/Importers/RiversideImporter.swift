import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Riverside's tracks by names such as
/// `riverside_PERSON_raw-synced-video-cfr_STUDIO_0001.mp4`.
///
/// Of several versions of a track the best is used: synced, then raw, then compressed, then cloud;
/// WAV before other sound formats. Mixes of everyone are left out unless nothing else has pictures.
enum RiversideImporter: Importer {
  static let format = "riverside"

  static func score(_ folder: ImporterInput) -> Int {
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { RiversideFileName($0.path) != nil } ? 88 : 0
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let files = folder.mediaFiles.compactMap { file in
      RiversideFileName(file.path).map { (path: file.path, name: $0) }
    }
    let (mixes, own) = (files.filter(\.name.isMix), files.filter { !$0.name.isMix })
    if try builder.addMix(of: mixes.map(\.path), replacing: own.map(\.path)) {
      return try builder.finish(isWallClock: false, folder: folder)
    }
    for mix in mixes { builder.leaveOut(mix.path, RecordingBuilder.isMix) }
    let groups = Dictionary(grouping: own) {
      "\($0.name.person) \($0.name.kind.rawValue) \($0.name.number)"
    }
    let best = groups.sorted { $0.key < $1.key }.compactMap { $0.value.min { $0.name < $1.name } }
    // All other versions of the chosen tracks are left out.
    let taken = Set(best.map(\.path))
    for (path, _) in groups.values.joined() where !taken.contains(path) { builder.leaveOut(path) }
    // Another number denotes another take, which started after the previous one had ended.
    let takes = Set(best.map(\.name.number)).sorted()
    let starts = starts(of: takes, best, folder.source)
    let speakers = Set(best.filter { $0.name.kind == .microphone }.map(\.name.person))
    for (path, name) in best {
      let id = builder.person(name.person, name: name.person.capitalizedWords)
      var track = Track(id: FileNameClassifier.stem(path), file: path, kind: name.kind)
      track.start = starts[name.number] ?? .zero
      // The camera's file repeats the microphone's sound.
      track.isHeard = name.kind != .camera || !speakers.contains(name.person)
      try builder.add(track, to: id, at: DocumentError(file: path, reason: ""))
    }
    if takes.count > 1 {
      builder.note(
        "it holds the takes \(takes.joined(separator: ", ")), which are placed one after the other; to render "
          + "a single take, give its files.")
    }
    if best.contains(where: { !$0.name.isSynced }) {
      builder.note(
        "Riverside's raw tracks have no start times; all start together. Its synced tracks "
          + "do, and so do \(option: "align") sound and \(option: "offset").")
    }
    return try builder.finish(isWallClock: false, folder: folder)
  }
}

extension RiversideImporter {
  /// Returns the start of each take, so that takes follow each other.
  private static func starts(
    of takes: [String], _ files: [(path: String, name: RiversideFileName)],
    _ source: RecordingSource
  ) -> [String: MediaTime] {
    guard takes.count > 1 else { return [:] }
    let spans = source.spans(files.map(\.path))
    var (starts, time) = ([String: MediaTime](), MediaTime.zero)
    for take in takes {
      starts[take] = time
      let lengths = zip(files, spans).compactMap { $0.name.number == take ? $1?.duration : nil }
      time = time + (lengths.max() ?? .zero)
    }
    return starts
  }
}

/// The parts of a Riverside file name.
struct RiversideFileName {
  let person: String
  let kind: TrackKind
  let isMix: Bool
  let isSynced: Bool
  /// The last number of the name, which distinguishes takes of one participant and kind.
  let number: String
  private let rank: Int
  private let path: String

  init?(_ path: String) {
    let parts = FileNameClassifier.stem(path).lowercased().split(separator: "_").map(String.init)
    guard parts.count >= 3, parts[0] == "riverside",
      let position = parts.firstIndex(where: Self.isVersion), position > 1
    else { return nil }
    let version = parts[position]
    let words = Set(version.split(separator: "-").map(String.init))
    person = parts[1..<position].joined(separator: " ")
    isMix =
      words.contains("mix") || person.contains("all participants")
      || person.contains("magic mix") || person.contains("composed")
    isSynced = words.contains("synced") || words.contains("aligned")
    let isScreen =
      words.contains("screen") || words.contains("screenshare")
      || person.contains("screen")
    let isSound = words.contains("audio") || words.contains("wav")
    kind = isScreen ? (isSound ? .screenAudio : .screen) : isSound ? .microphone : .camera
    number = parts[(position + 1)...].last { $0.allSatisfy(\.isNumber) } ?? ""
    let quality = isSynced ? 0 : words.contains("raw") ? 1 : words.contains("cloud") ? 3 : 2
    rank = quality * 2 + (isSound && FileNameClassifier.fileExtension(path) != "wav" ? 1 : 0)
    self.path = path
  }

  private static func isVersion(_ part: String) -> Bool {
    let words = part.split(separator: "-")
    let versions: Set<Substring> = ["raw", "compressed", "cloud", "synced", "backup", "composed"]
    let media: Set<Substring> = ["audio", "video", "screen", "screenshare", "mix", "wav"]
    return words.contains(where: versions.contains) && words.contains(where: media.contains)
  }

  /// True if `a` is the better version of a track.
  static func < (a: RiversideFileName, b: RiversideFileName) -> Bool {
    (a.rank, a.path) < (b.rank, b.path)
  }
}

extension String {
  /// The text with each word capitalized.
  fileprivate var capitalizedWords: String {
    split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
  }
}
