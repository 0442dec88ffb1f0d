import TesseraDocuments
import TesseraMessages
import TesseraSystem
package import TesseraTimeline

/// A recording in the segments of a playlist (HLS), divided into runs. Each run has a continuous
/// clock and is read like a file.
///
/// A run's path is the playlist's path and its number: `call/ada.m3u8/0` is the first run of
/// `call/ada.m3u8`. No file can have such a path.
package struct SegmentedFile: Sendable {
  /// A byte range of a file that is part of a run.
  struct ByteRange: Hashable, Sendable {
    var path: String
    /// The first byte of the range, and the number of bytes.
    var offset, count: Int64
  }

  /// Consecutive segments with a continuous clock.
  struct ContinuousRun: Sendable {
    var pieces: [ByteRange] = []
    /// The start relative to the start of the recording, according to the playlist's durations.
    var start: MediaTime
    /// The sum of the segments' durations in the playlist.
    var length = MediaTime.zero
    /// The wall-clock start, since 1970; `nil` if the playlist states none.
    var date: MediaTime?
    /// The clockwise rotation of the pictures in degrees; `nil` if the playlist states none.
    var rotation: Int?
    /// True if the run belongs to the separate audio playlist.
    var isOfSound = false

    var byteCount: Int64 { pieces.reduce(0) { $0 +| $1.count } }
  }

  /// Consecutive segments that do not exist.
  package struct MissingSegments: Sendable {
    /// The number of missing segments.
    package var count: Int
    /// The name of the first missing segment; `nil` for segments that a live playlist has dropped.
    package var name: String?
    /// The interval of the missing segments in the playlist's time; empty at 0 for segments that a
    /// live playlist has dropped, whose durations are unknown.
    package var start, end: MediaTime
  }

  let path: String
  private(set) var runs: [ContinuousRun] = []
  package var runCount: Int { runs.count }
  package private(set) var holes: [MissingSegments] = []
  /// True if a playlist has no end marker.
  package private(set) var isOpenEnded = false
  /// The number of segments that were found after the last listed one, and are read.
  private(set) var unnamedCount = 0
  /// The wall-clock start of the first segment, since 1970; `nil` if the playlist states none.
  private(set) var date: MediaTime?
  /// The paths of the playlist and of those that it refers to.
  private(set) var playlists: [String] = []

  /// The clock jump above which a new run starts.
  private static let leap = MediaTime(nanoseconds: 500_000_000)
  /// The maximum number of runs of a recording.
  private static let mostRuns = 5000

  /// Splits `path` into the playlist and the number of the run; returns `nil` if `path` is a plain
  /// file.
  static func parts(of path: String) -> (playlist: String, run: Int?)? {
    if HLSPlaylist.isPlaylist(path) { return (path, nil) }
    guard let slash = path.lastIndex(of: "/"), HLSPlaylist.isPlaylist(path[..<slash]),
      let run = Int(path[path.index(after: slash)...])
    else { return nil }
    return (String(path[..<slash]), run)
  }

  /// Returns `path` for messages: the playlist instead of a run.
  package static func name(of path: String) -> String { parts(of: path)?.playlist ?? path }

  /// Returns the files that are read for `path`: the file with its initialization segment or its
  /// later parts, if any, or a playlist and its segments.
  package static func files(of path: String) -> [String] {
    guard let (playlist, run) = parts(of: path), let file = try? known(playlist) else {
      return [MovieBoxParser.initialization(of: path), path].compactMap(\.self)
        + RecordingPartFinder.following(path)
    }
    guard let run else { return file.paths }
    let own = file.runs.indices.contains(run) ? file.runs[run].pieces : []
    return file.playlists + own.map(\.path)
  }

  /// The paths of the playlists and all segments, without duplicates.
  var paths: [String] {
    var known: Set<String> = []
    return (playlists + runs.flatMap(\.pieces).map(\.path)).filter { known.insert($0).inserted }
  }

  /// Reads the playlist at `path` and looks for the files that it lists.
  ///
  /// - Throws: ``MediaError`` if the file is not a playlist, or nothing that it lists can be read.
  package init(_ path: String) throws(MediaError) {
    self.path = path
    var list = try Self.playlist(path)
    playlists = [path]
    var sound: (path: String, list: HLSPlaylist)?
    if list.segments.isEmpty {
      let variants = list
      let found = variants.variants.lazy.compactMap { variant in
        Self.named(variant.uri, path).map { (variant, $0) }
      }.first
      guard let (variant, name) = found else {
        throw MediaError(
          path: path,
          reason: .segments(
            list.variants.isEmpty
              ? "it is a playlist without segments" : "none of the playlists that it names exists"))
      }
      list = try Self.playlist(name)
      playlists.append(name)
      if let uri = variant.sound.flatMap({ variants.sounds[$0] }), let name = Self.named(uri, path),
        !playlists.contains(name)
      {
        sound = (name, try Self.playlist(name))
        playlists.append(name)
      }
    }
    try add(list, playlists.last { $0 != sound?.path } ?? path, isOfSound: false)
    if let sound { try add(sound.list, sound.path, isOfSound: true) }
    guard !runs.isEmpty else {
      let words: UserMessage? = holes.lazy.compactMap(\.name).first.map {
        "none of the segments that it names exists: the first is \(file: $0)"
      }
      throw MediaError(path: path, reason: .segments(words ?? "it is a playlist without segments"))
    }
  }

  /// A cache of the last playlist and its file state, because each run opens the playlist again.
  private static let last = ConditionLock<(state: FileVersion, file: SegmentedFile)?>(nil)

  /// Returns the parsed playlist at `path`, from the cache if it has not changed.
  private static func known(_ path: String) throws(MediaError) -> SegmentedFile {
    let state = FileVersion(of: path)
    if let last = last.withLock(\.self), last.file.path == path, last.state == state {
      return last.file
    }
    let file = try SegmentedFile(path)
    if let state { last.withLock { $0 = (state, file) } }
    return file
  }

  /// Returns run number `run` of the playlist at `path`.
  static func run(_ run: Int, of path: String) throws(MediaError) -> ContinuousRun {
    let file = try known(path)
    guard file.runs.indices.contains(run) else {
      throw MediaError(path: path, reason: .segments("it has become shorter"))
    }
    return file.runs[run]
  }

  private static func playlist(_ path: String) throws(MediaError) -> HLSPlaylist {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try RegularFile.bytes(path, atMost: HLSPlaylist.largestSize + 1)
    } catch {
      throw MediaError(
        path: path, reason: error.isNotRegular ? .notARegularFile : .unreadable(error.reason))
    }
    guard !bytes.isEmpty else { throw MediaError(path: path, reason: .empty) }
    guard let playlist = HLSPlaylist(bytes) else {
      throw MediaError(
        path: path,
        reason: .segments(
          "it is not a playlist (HLS), or names more than \(HLSPlaylist.mostSegments) segments"))
    }
    guard !playlist.isEncrypted else { throw MediaError(path: path, reason: .encrypted) }
    return playlist
  }

  private static func named(_ uri: String, _ playlist: String) -> String? {
    HLSPlaylist.path(of: uri, in: playlist) { FileOperations.exists($0) }
  }

  // MARK: Runs

  /// Divides the segments of `list` into runs and holes.
  private mutating func add(
    _ list: HLSPlaylist, _ path: String, isOfSound: Bool
  ) throws(MediaError) {
    let origin = list.date
    let base =
      [origin, date].allSatisfy { $0 != nil } ? (origin ?? .zero) - (date ?? .zero) : .zero
    date = date ?? origin
    var (time, run, last) = (max(.zero, base), ContinuousRun?.none, HLSPlaylist.Segment?.none)
    if list.droppedCount > 0 {
      holes.append(MissingSegments(count: list.droppedCount, name: nil, start: .zero, end: .zero))
    }
    for segment in list.segments {
      // The date of a segment takes precedence over the sum of durations if it is later.
      if let date = segment.date, let origin {
        time = max(time, min(base + (date - origin), Self.longest))
      }
      defer {
        time = min(time + segment.length, Self.longest)
        last = segment
      }
      guard !segment.isGap, let piece = Self.piece(segment.uri, segment.bytes, path)
      else {
        note(MissingSegments(count: 1, name: segment.uri, start: time, end: time + segment.length))
        continue
      }
      if run == nil || begins(segment, after: last, piece) {
        if let run { runs.append(run) }
        guard runs.count < Self.mostRuns else {
          throw MediaError(
            path: path,
            reason: .segments("its clock begins again more than \(Self.mostRuns) times"))
        }
        run = ContinuousRun(
          start: time, date: segment.date, rotation: segment.rotation, isOfSound: isOfSound)
        if let map = segment.map {
          guard let head = Self.piece(map.uri, map.bytes, path) else {
            note(MissingSegments(count: 1, name: map.uri, start: time, end: time + segment.length))
            run = nil
            continue
          }
          run?.pieces.append(head)
        }
      }
      run?.pieces.append(piece)
      let start = run?.start ?? .zero
      run?.length = time + segment.length - start
    }
    if let run, !run.pieces.isEmpty { runs.append(run) }
    guard !list.isEnded else { return }
    isOpenEnded = true
    if let last, runs.last?.isOfSound == isOfSound {
      for uri in Self.names(after: last.uri) {
        guard last.bytes == nil, let piece = Self.piece(uri, nil, path) else { break }
        runs[runs.count - 1].pieces.append(piece)
        unnamedCount += 1
      }
    }
  }

  /// The maximum plausible time in a playlist: 400 days.
  private static let longest = MediaTime(seconds: 400 * 86400)

  /// Returns the byte range of a segment that the playlist at `path` lists; `nil` if the file does
  /// not exist or is too short.
  private static func piece(_ uri: String, _ bytes: Range<Int>?, _ path: String) -> ByteRange? {
    guard let file = named(uri, path), let whole = FileIdentity.byteCount(of: file) else {
      return nil
    }
    let offset = Int64(bytes?.lowerBound ?? 0)
    let count = min(Int64(bytes?.count ?? Int.max), whole -| offset)
    return count > 0 ? ByteRange(path: file, offset: offset, count: count) : nil
  }

  private mutating func note(_ hole: MissingSegments) {
    if let last = holes.last, last.name != nil, last.end == hole.start {
      holes[holes.count - 1].end = hole.end
      holes[holes.count - 1].count += 1
    } else {
      holes.append(hole)
    }
  }

  /// True if `segment` starts a new run.
  private func begins(
    _ segment: HLSPlaylist.Segment, after last: HLSPlaylist.Segment?, _ piece: ByteRange
  ) -> Bool {
    if segment.isDiscontinuous { return true }
    if let date = segment.date, let last, let before = last.date,
      date - before - last.length > Self.leap
    {
      return true
    }
    return segment.map == nil && piece.offset == 0 && Self.isWhole(piece.path)
  }

  /// True if the segment is a complete file with its own header.
  private static func isWhole(_ path: String) -> Bool {
    let ending = path.suffix(5).lowercased()
    guard ending.hasSuffix(".webm") || ending.hasSuffix(".mp4"),
      let head = try? RegularFile.bytes(path, atMost: 8), head.count == 8
    else { return false }
    return head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) || head[4...].elementsEqual("ftyp".utf8)
  }

  /// Returns the file names that continue the numbering of `uri`, because a recorder that crashed
  /// may not have listed all segments.
  static func names(after uri: String) -> some Sequence<String> {
    let dot = uri.lastIndex(of: ".") ?? uri.endIndex
    let digits = uri[..<dot].reversed().prefix { $0.isASCII && $0.isNumber }.count
    let start = uri.index(dot, offsetBy: -digits)
    let number = digits <= 9 ? Int(uri[start..<dot]) : nil
    return (1..<10_000).lazy.map { step in
      guard let number else { return "" }
      let text = String(number + step)
      let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
      return "\(uri[..<start])\(zeros)\(text)\(uri[dot...])"
    }
  }
}
