package import TesseraDocuments
package import TesseraTimeline

/// A folder, archive or list of files as importers see it: names, sizes, and access to small files.
///
/// Importers open nothing themselves. The caller provides functions that read files and probe
/// streams.
package struct RecordingSource: Sendable {
  /// A file in the listing.
  package struct File: Hashable, Sendable {
    /// The path relative to the folder, with `/` as separator.
    package var path: String
    package var size: Int
    /// The streams; `nil` if the file was not probed.
    package var streams: [StreamHeader]?

    package init(_ path: String, size: Int, streams: [StreamHeader]? = nil) {
      self.path = path
      self.size = size
      self.streams = streams
    }
  }

  /// The facts about one stream from the container's header.
  package struct StreamHeader: Hashable, Sendable, Codable {
    /// The kind of media of a stream.
    package enum Kind: Hashable, Sendable, Codable {
      case video
      case audio
      case other
    }

    /// The index of the stream in the file, from 0.
    package var index: Int
    package var kind: Kind
    /// The stream's tags, keys in lower case, such as `title`.
    package var tags: [String: String]
    /// The range of the stream in container time; `nil` if the header does not state it.
    package var interval: TimeRange?
    /// The number of audio channels; 0 for other kinds.
    package var channelCount = 0

    /// Creates a stream with the given index and kind.
    package init(
      _ index: Int, _ kind: Kind, tags: [String: String] = [:], interval: TimeRange? = nil
    ) {
      (self.index, self.kind, self.tags, self.interval) = (index, kind, tags, interval)
    }
  }

  /// The length of a file, with its container's tags and streams.
  package struct ContainerInfo: Hashable, Sendable, Codable {
    /// The length from the first picture or sound to the end of the last.
    package var duration: MediaTime
    /// The container's time of the first picture or sound; `nil` if the header does not state it.
    package var start: MediaTime?
    /// The tags of the container, followed by the tags of each stream; keys in lower case.
    package var tags: [[String: String]]
    /// The streams; empty if they were not probed.
    package var streams: [StreamHeader]

    /// Creates a file of `duration`; `clock` is its creation date since 1970.
    package init(
      duration: MediaTime, clock: MediaTime? = nil, start: MediaTime? = nil,
      tags: [String: String] = [:], streams: [StreamHeader] = []
    ) {
      (self.duration, self.start, self.streams) = (duration, start, streams)
      let date = clock.map { ["creation_time": WallClockFormat.text($0)] } ?? [:]
      self.tags = [tags.merging(date) { $1 }] + streams.map(\.tags)
    }

    /// The date of the file's beginning since 1970; `nil` if the container states none.
    package var clock: MediaTime? { date(where: \.isUTC) }

    /// The time code or time reference of the file's beginning; `nil` if the container states none.
    ///
    /// Assumes 25 frames and 48,000 samples per second, so it only serves to order files.
    package var timeCode: MediaTime? { date { $0.clock == .timeCode } }

    private func date(where isMeant: (TimeAnchor) -> Bool) -> MediaTime? {
      let anchor = ContainerTags(
        tags.first ?? [:], streams: Array(tags.dropFirst()), frameRate: 25, sampleRate: 48000
      ).anchors.filter(isMeant).min { $0.resolution < $1.resolution }
      return anchor.map {
        $0.time
          - TrackPlacementFacts(duration: duration, containerStart: start ?? .zero).position(
            of: $0.event)
      }
    }
  }

  /// The source's name for messages.
  package var name: String
  /// The files in bytewise order of their paths; a list keeps the order in which it was given.
  package var files: [File]
  /// The path of the manifest that the user named; `nil` for a whole folder.
  package var manifest: String?
  /// True if the user listed the files, so that there is no folder.
  package var isList: Bool
  /// True if a named session file may refer to files outside of the folder. Never for downloaded
  /// files.
  package var mayLeaveFolder = false
  /// Returns true if a file exists, given a path relative to the folder or absolute.
  ///
  /// `nil` looks into ``files``. Only used if ``mayLeaveFolder`` is true.
  package var isPresent: (@Sendable (_ path: String) -> Bool)?
  /// True if recordings in a session file may be missing.
  package var allowsMissing = false
  /// Measures the lengths of files whose names leave their order open; `nil` for unreadable files.
  package var spans: @Sendable (_ paths: [String]) -> [ContainerInfo?] = { $0.map { _ in nil } }
  /// Reads the headers of files: streams, tags, and the length if it is declared; `nil` for
  /// unreadable files.
  package var headers: @Sendable (_ paths: [String]) -> [ContainerInfo?] = { $0.map { _ in nil } }
  /// Returns the files that are read after a file as parts of the same recording, because they have
  /// no header of their own.
  package var parts: @Sendable (_ path: String) -> [String] = { _ in [] }
  /// The choice between one participant per file and one per stream.
  package var streams = StreamAssignment.auto
  /// The choice between mixed channels and one participant per channel.
  package var channels = ChannelAssignment.mixed
  package typealias ReadError = DocumentError
  /// Reads a listed file.
  package var read: @Sendable (_ path: String) throws(ReadError) -> [UInt8]

  /// Creates a source called `name` with `files`.
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

  /// The maximum number of files in a source.
  package static let maximumFiles = 200_000
}
