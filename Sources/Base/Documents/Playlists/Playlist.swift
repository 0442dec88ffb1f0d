package import TesseraTimeline

/// A playlist of HTTP Live Streaming (RFC 8216), as recorders write it: what it says of segments, as
/// far as they can be placed and read by it.
package struct Playlist: Hashable, Sendable {
  /// A piece of the recording.
  package struct Segment: Hashable, Sendable {
    /// Where it lies, as the playlist writes it.
    package var uri: String
    /// Its length as the playlist says it.
    package var length: MediaTime
    /// The bytes of the file that it is; nil is all of it.
    package var bytes: Range<Int>?
    /// When its first sample was recorded, since 1970, where something says so.
    package var date: MediaTime?
    /// Where the bytes lie that initialize its decoder.
    package var map: Map?
    /// Whether its times have nothing to do with those of the one before.
    package var isDiscontinuous = false
    /// Whether the recorder says that there is nothing.
    package var isGap = false
    /// Clockwise degrees to turn its pictures by, 0, 90, 180 or 270; nil is as they are.
    package var rotation: Int?
  }

  /// What initializes a decoder.
  package struct Map: Hashable, Sendable {
    package var uri: String
    package var bytes: Range<Int>?
  }

  /// A playlist of the same recording with other pictures, or other sound.
  package struct Variant: Hashable, Sendable {
    package var uri: String
    /// Bits a second.
    package var bandwidth: Int
    /// The group of ``sounds`` that it goes with.
    package var sound: String?
  }

  /// The segments in their order; none in a multivariant playlist.
  package private(set) var segments: [Segment] = []
  /// The playlists that a multivariant one names, the best one first.
  package private(set) var variants: [Variant] = []
  /// The playlists of sound that it names by their groups, of each the default or first one.
  package private(set) var sounds: [String: String] = [:]
  /// Whether it says that nothing follows.
  package private(set) var isEnded = false
  /// How many segments were dropped before its first one, as it is a window of a live stream.
  package private(set) var droppedCount = 0
  /// Whether it says that it names all from the beginning on.
  package private(set) var keepsAll = false
  /// Whether its segments are encrypted.
  package private(set) var isEncrypted = false
  /// What its recorder says of it besides: the values of `#EXT-X-TRTC-…` by their names' ends.
  package private(set) var facts: [String: String] = [:]

  /// The most bytes of a playlist, and the most segments.
  package static let (largestSize, mostSegments) = (16 << 20, 100_000)

  /// Whether the file at `path` is one by its name.
  package static func isPlaylist(_ path: some StringProtocol) -> Bool {
    path.utf8.count > 5 && path.suffix(5).lowercased() == ".m3u8"
  }

  /// Reads a playlist.
  ///
  /// - Returns: nil where `bytes` are not a playlist, or too many.
  package init?(_ bytes: [UInt8]) {
    let lines = bytes.withoutByteOrderMark.split { $0 == 0x0a || $0 == 0x0d }
    guard bytes.count <= Self.largestSize, lines.first?.starts(with: "#EXTM3U".utf8) == true else {
      return nil
    }
    var reader = PlaylistReader()
    for line in lines.dropFirst() {
      let line = line.trimmed
      guard !line.isEmpty else { continue }
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("#") {
        take(text, &reader)
      } else if reader.isVariant {
        variants.append(reader.variant(text))
      } else {
        guard segments.count < Self.mostSegments else { return nil }
        segments.append(reader.segment(text, after: segments.last))
      }
    }
    keepsAll = reader.keepsAll
    if keepsAll { droppedCount = 0 }
    variants.sort { $0.bandwidth > $1.bandwidth }
  }

  private mutating func take(_ text: String, _ reader: inout PlaylistReader) {
    let colon = text.firstIndex(of: ":")
    let name = text[..<(colon ?? text.endIndex)].dropFirst()
    let value = colon.map { text[text.index(after: $0)...] } ?? ""
    switch name {
    case "EXT-X-ENDLIST": isEnded = true
    case "EXT-X-MEDIA-SEQUENCE": droppedCount = min(1 << 40, max(0, Int(value) ?? 0))
    // A list that grows, or is whole, is not a window.
    case "EXT-X-PLAYLIST-TYPE": reader.keepsAll = true
    case "EXT-X-KEY", "EXT-X-SESSION-KEY":
      isEncrypted = isEncrypted || PlaylistAttributes(value)["METHOD"] != "NONE"
    case "EXT-X-MEDIA":
      let attributes = PlaylistAttributes(value)
      guard attributes["TYPE"] == "AUDIO", let group = attributes["GROUP-ID"],
        let uri = attributes["URI"]
      else { return }
      if sounds[group] == nil || attributes["DEFAULT"] == "YES" { sounds[group] = uri }
    default:
      if name.hasPrefix("EXT-X-TRTC-"), facts.count < 100 {
        facts[String(name.dropFirst(11))] = facts[String(name.dropFirst(11))] ?? String(value)
      }
      reader.take(name, value)
    }
  }
}

/// What lines of a playlist say of the segment that comes next.
private struct PlaylistReader {
  private(set) var isVariant = false
  var keepsAll = false
  private var next = Playlist.Segment(uri: "", length: .zero)
  private var range: Substring?
  private var map: Playlist.Map?
  private var rotation: Int?
  private var attributes = PlaylistAttributes("")

  mutating func take(_ name: Substring, _ value: Substring) {
    switch name {
    case "EXTINF":
      // Some leave the comma out, and what follows it.
      let number = value.prefix { $0 != "," && $0 != " " }
      let time = Numeral(String(number))?.time(.seconds) ?? .zero
      next.length = min(max(.zero, time), MediaTime(seconds: 86400))
    case "EXT-X-BYTERANGE": range = value
    case "EXT-X-DISCONTINUITY": next.isDiscontinuous = true
    case "EXT-X-GAP": next.isGap = true
    case "EXT-X-PROGRAM-DATE-TIME": next.date = WallTime.parse(String(value))
    case "EXT-X-STREAM-INF":
      isVariant = true
      attributes = PlaylistAttributes(value)
    case "EXT-X-MAP":
      let attributes = PlaylistAttributes(value)
      guard let uri = attributes["URI"] else { return }
      let new = Playlist.Map(
        uri: uri, bytes: attributes["BYTERANGE"].flatMap { PlaylistAttributes.range($0[...], 0) })
      if let map, map != new { next.isDiscontinuous = true }
      map = new
    case "EXT-X-AGORA-TRACK-EVENT":
      let attributes = PlaylistAttributes(value)
      guard attributes["EVENT"] == "START" else { return }
      next.isDiscontinuous = true
      next.date = attributes["TIME"].flatMap(Self.time) ?? next.date
    case "EXT-X-AGORA-ROTATE":
      // Its degrees are counterclockwise.
      guard let degrees = PlaylistAttributes(value)["ROTATE"].flatMap({ Int($0) }),
        [0, 90, 180, 270].contains(degrees)
      else { return }
      let clockwise = (360 - degrees) % 360
      if clockwise != rotation ?? 0 { next.isDiscontinuous = true }
      rotation = clockwise
    case "EXT-X-TRTC-START-REC-TIME", "EXT-X-TRTC-FILE-ATTR":
      next.date = Self.time(String(value.prefix { $0 != "," })) ?? next.date
    default: break
    }
  }

  /// Seventeen digits of a date in UTC, or milliseconds since 1970.
  private static func time(_ digits: String) -> MediaTime? {
    digits.utf8.count == 17
      ? WallTime.parse(digits)
      : Int64(digits).flatMap { (0...Int64(1) << 45).contains($0) ? $0 : nil }
        .map { MediaTime(nanoseconds: $0 *| 1_000_000) }
  }

  mutating func segment(_ uri: String, after last: Playlist.Segment?) -> Playlist.Segment {
    defer { (next, range) = (Playlist.Segment(uri: "", length: .zero), nil) }
    (next.uri, next.map, next.rotation) = (uri, map, rotation)
    if let range {
      let start = last?.uri == uri ? last?.bytes?.upperBound : nil
      next.bytes = PlaylistAttributes.range(range, start ?? 0)
    }
    // Names that end in a date say when their pieces begin.
    let name = uri.prefix { $0 != "?" }.split(separator: "/").last ?? ""
    let stem = name.split(separator: ".").first ?? ""
    if let digits = stem.split(separator: "_").last, digits.utf8.count == 17 {
      next.date = next.date ?? Self.time(String(digits))
    }
    return next
  }

  mutating func variant(_ uri: String) -> Playlist.Variant {
    defer { isVariant = false }
    return Playlist.Variant(
      uri: uri, bandwidth: attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0,
      sound: attributes["AUDIO"])
  }
}

/// Attributes of a line: `NAME=value,NAME="value"`.
struct PlaylistAttributes {
  private var values: [Substring: String] = [:]

  init(_ text: some StringProtocol) {
    var rest = Substring(text)
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].drop { $0 == " " || $0 == "," }
      rest = rest[rest.index(after: equals)...]
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { $0 != (isQuoted ? "\"" : ",") }
      rest = rest[value.endIndex...].dropFirst()
      values[name] = String(value)
    }
  }

  subscript(name: Substring) -> String? { values[name] }

  /// Bytes as `count@first`; from `start` on where they do not say it.
  static func range(_ text: Substring, _ start: Int) -> Range<Int>? {
    let parts = text.split(separator: "@").map { Int($0) }
    guard let count = parts.first ?? nil, count > 0 else { return nil }
    let first = parts.count > 1 ? parts[1] ?? -1 : start
    let (end, overflows) = first.addingReportingOverflow(count)
    return first >= 0 && !overflows ? first..<end : nil
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without blanks around them.
  fileprivate var trimmed: Self {
    let head = drop { $0 == 0x20 || $0 == 0x09 }
    guard let end = head.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return [] }
    return head[...end]
  }
}
