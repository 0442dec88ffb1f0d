import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// The number of participants in a file: one, or one per stream.
public enum StreamAssignment: String, Hashable, Sendable, Codable, CaseIterable {
  /// One participant per video stream, if each has an audio stream of its own; otherwise one.
  case auto
  /// One participant, with the default streams.
  case first
  /// One participant per video stream, and one per audio stream without pictures.
  case each
}

/// A file with several participants, each with a video and an audio stream.
struct MultiParticipantFile {
  private let path: String
  private let people: [(name: String?, picture: Int?, sound: Int?)]

  /// Streams that start and end within this time of each other belong together.
  private static let tolerance = MediaTime(nanoseconds: 500_000_000)

  /// Assigns the streams of the file at `path` to participants; `nil` if the file has only one.
  init?(_ path: String, _ header: RecordingSource.ContainerInfo?, _ choice: StreamAssignment) {
    guard let header, choice != .first else { return nil }
    let pictures = header.streams.filter { $0.kind == .video }
    let sounds = header.streams.filter { $0.kind == .audio }
    let isEven = pictures.count == sounds.count && pictures.count > 1
    let pairs = Self.pairs(pictures, sounds, by: Self.title) ?? Self.overlaps(pictures, sounds)
    self.path = path
    if let pairs, isEven {
      people = pairs.map { (Self.title($0) ?? Self.title($1), $0.index, $1.index) }
    } else if choice == .each, pictures.count + sounds.count > 1 {
      let named =
        pairs.map { $0.map { ($0.0, Optional($0.1)) } }
        ?? pictures.enumerated().map { index, picture in
          (picture, sounds.indices.contains(index) ? sounds[index] : nil)
        }
      let used = Set(named.compactMap { $0.1?.index })
      people =
        named.map { (Self.title($0.0) ?? $0.1.flatMap(Self.title), $0.0.index, $0.1?.index) }
        + sounds.filter { !used.contains($0.index) }.map { (Self.title($0), nil, $0.index) }
      guard people.count > 1 else { return nil }
    } else {
      return nil
    }
  }

  /// Returns the participant's name in a stream's title; `nil` if the title is missing or no name.
  private static func title(_ stream: RecordingSource.StreamHeader) -> String? {
    guard let title = stream.tags["title"] ?? stream.tags["name"], FileNameKeywords.isName(title)
    else {
      return nil
    }
    return TrackNameParts(title).person ?? title.trimmed
  }

  /// Returns the participant's name in the titles of a file with at most one stream of each kind;
  /// `nil` if they differ or contain no name.
  ///
  /// For a file with only sound, the container's title counts as well.
  static func title(of header: RecordingSource.ContainerInfo?) -> String? {
    let streams = header?.streams ?? []
    guard streams.count(where: { $0.kind == .video }) < 2,
      streams.count(where: { $0.kind == .audio }) < 2
    else { return nil }
    var titles = Set(streams.filter { $0.kind != .other }.compactMap(title))
    if titles.isEmpty, streams.count == 1, streams[0].kind == .audio,
      let title = header?.tags.first?["title"]
    {
      titles = Set(
        [title].filter(FileNameKeywords.isName).map { TrackNameParts($0).person ?? $0.trimmed })
    }
    return titles.count == 1 ? titles.first : nil
  }

  /// Pairs each video stream with the audio stream of equal `key`; `nil` unless all keys differ and
  /// match.
  private static func pairs<Key: Hashable>(
    _ pictures: [RecordingSource.StreamHeader], _ sounds: [RecordingSource.StreamHeader],
    by key: (RecordingSource.StreamHeader) -> Key?
  ) -> [(RecordingSource.StreamHeader, RecordingSource.StreamHeader)]? {
    let found = pictures.compactMap { picture in
      sounds.first { key($0) != nil && key($0) == key(picture) }.map { (picture, $0) }
    }
    let isWhole = found.count == pictures.count && found.count == sounds.count
    return isWhole && Set(found.map { key($0.0) }).count == found.count ? found : nil
  }

  /// Pairs each video stream with the audio stream that starts and ends with it; `nil` if that is
  /// ambiguous.
  private static func overlaps(
    _ pictures: [RecordingSource.StreamHeader], _ sounds: [RecordingSource.StreamHeader]
  ) -> [(RecordingSource.StreamHeader, RecordingSource.StreamHeader)]? {
    pairs(pictures, sounds) { stream in
      guard let interval = stream.interval else { return Int?.none }
      let near = pictures.indices.filter { index in
        guard let other = pictures[index].interval else { return false }
        return [(interval.start, other.start), (interval.end, other.end)].allSatisfy {
          max($0, $1) - min($0, $1) < tolerance
        }
      }
      return near.count == 1 ? near[0] : nil
    }
  }

  /// Adds the participants of the file, and a note.
  func add(to builder: inout RecordingBuilder) throws(DocumentError) {
    let stem = FileNameClassifier.stem(path)
    for (index, person) in people.enumerated() {
      let id = builder.newPerson(
        person.name ?? "\(stem) \(index + 1)",
        source: person.name == nil ? "its file's name" : "the title of its stream")
      let anchor = FileNameParser(path).anchor
      let streams: [(TrackKind, Int?)] = [(.camera, person.picture), (.microphone, person.sound)]
      for (kind, stream) in streams {
        guard let stream else { continue }
        var track = Track(id: "\(stem)-\(stream)", file: path, kind: kind)
        track.stream = stream
        track.anchors = [anchor].compactMap { $0 }
        try builder.add(track, to: id, at: DocumentError(file: path, reason: ""))
      }
    }
    let titles = people.map { $0.name ?? "nobody by title" }
    builder.note(
      "\(file: path) holds \(people.count) participants (\(titles.prefix(6).joined(separator: ", "))), a tile each; "
        + "\(option: "streams") first uses only the streams that are meant to be played.")
  }
}
