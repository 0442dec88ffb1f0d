package import TesseraDocuments
package import TesseraTimeline

/// A folder, an archive or a list of files as an importer sees it: names, sizes, and the bytes of
/// small files. What it knows about streams, its caller has found out.
package struct RecordingSource: Sendable {
  /// A file of the folder.
  package struct File: Hashable, Sendable {
    /// Its path in the folder, with `/` between the parts.
    package var path: String
    /// Its size in bytes.
    package var size: Int
    /// Its streams, where somebody has looked.
    package var streams: [StreamFacts]?

    /// The file `path` of `size` bytes.
    package init(_ path: String, size: Int, streams: [StreamFacts]? = nil) {
      self.path = path
      self.size = size
      self.streams = streams
    }
  }

  /// What a container says about one stream.
  package struct StreamFacts: Hashable, Sendable, Codable {
    /// What kinds there are.
    package enum Kind: Hashable, Sendable, Codable {
      case video
      case audio
      case other
    }

    /// Its number in the file, from 0.
    package var index: Int
    /// What it carries.
    package var kind: Kind
    /// What the container says about it; the keys in lower case, such as `title`.
    package var tags: [String: String]
    /// The container's times of its beginning and end; `nil` if the header does not state them.
    package var interval: TimeRange?
    /// The number of channels of sound; 0 for other kinds.
    package var channelCount = 0

    /// The stream `index`.
    package init(
      _ index: Int, _ kind: Kind, tags: [String: String] = [:], interval: TimeRange? = nil
    ) {
      (self.index, self.kind, self.tags, self.interval) = (index, kind, tags, interval)
    }
  }

  /// The length of a file, and what its container says about it.
  package struct Span: Hashable, Sendable, Codable {
    /// The length from the first picture or sound to the last one's end.
    package var duration: MediaTime
    /// The container's time of the first picture or sound; `nil` if the header does not state it.
    package var start: MediaTime?
    /// The tags of the container, then those of its streams; keys in lower case.
    package var tags: [[String: String]]
    /// The streams; empty if nobody has looked.
    package var streams: [StreamFacts]

    /// A file of `duration`, recorded at `clock` since 1970.
    package init(
      duration: MediaTime, clock: MediaTime? = nil, start: MediaTime? = nil,
      tags: [String: String] = [:], streams: [StreamFacts] = []
    ) {
      (self.duration, self.start, self.streams) = (duration, start, streams)
      let date = clock.map { ["creation_time": WallTime.text($0)] } ?? [:]
      self.tags = [tags.merging(date) { $1 }] + streams.map(\.tags)
    }

    /// The date of the file's beginning, since 1970, as far as the container states one.
    package var clock: MediaTime? { date(where: \.isUTC) }

    /// The time code or time reference of the file's beginning, as far as the container states one, as
    /// if all rates were the usual ones: only for who came first.
    package var timeCode: MediaTime? { date { $0.clock == .timeCode } }

    private func date(where isMeant: (Anchor) -> Bool) -> MediaTime? {
      let anchor = WriterTags(
        tags.first ?? [:], streams: Array(tags.dropFirst()), frameRate: 25, sampleRate: 48000
      ).anchors.filter(isMeant).min { $0.resolution < $1.resolution }
      return anchor.map {
        $0.time
          - TrackFacts(duration: duration, containerStart: start ?? .zero).position(of: $0.event)
      }
    }
  }

  /// What it is called in messages.
  package var name: String
  /// The files, in bytewise order of their paths; those of a list in the order in which they were
  /// given.
  package var files: [File]
  /// The path of the file that was named, where it was not the whole folder.
  package var manifest: String?
  /// Whether the files themselves were listed by a person, so that there is no folder to list.
  package var isList: Bool
  /// Whether what the named file says may lie outside the folder; never for what came from afar.
  package var mayLeaveFolder = false
  /// Whether there is a file of that path, relative to the folder or absolute; nil asks ``files``.
  /// Only asked where ``mayLeaveFolder``.
  package var isPresent: (@Sendable (_ path: String) -> Bool)?
  /// Whether recordings that a session file names may be missing.
  package var allowsMissing = false
  /// Looks how long files are, where their names leave something open; nil for those that cannot be
  /// read.
  package var spans: @Sendable (_ paths: [String]) -> [Span?] = { $0.map { _ in nil } }
  /// Reads the headers of files: their streams and tags, and lengths as far as these are declared.
  package var headers: @Sendable (_ paths: [String]) -> [Span?] = { $0.map { _ in nil } }
  /// Returns the files that are read after a file as parts of the same recording, because they have
  /// no header of their own.
  package var parts: @Sendable (_ path: String) -> [String] = { _ in [] }
  /// The choice between one participant for a file and one for each of its streams.
  package var streams = StreamChoice.auto
  /// The choice between mixed channels and a participant for each channel.
  package var channels = ChannelChoice.mixed
  /// Why a file cannot be read.
  package typealias ReadError = DocumentError
  /// The bytes of a file that is listed.
  package var read: @Sendable (_ path: String) throws(ReadError) -> [UInt8]

  /// The source `name` with `files`.
  package init(
    name: String, files: [File], manifest: String? = nil, isList: Bool = false,
    read: @escaping @Sendable (_ path: String) throws(ReadError) -> [UInt8]
  ) {
    self.name = name
    self.files =
      isList
      ? files : files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    self.manifest = manifest
    self.isList = isList
    self.read = read
  }

  /// The most files that are looked at.
  package static let maximumFiles = 200_000
}
