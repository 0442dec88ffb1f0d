package import TesseraTimeline

/// An HTTP Live Streaming playlist (RFC 8216) as recorders write it, with the facts that are needed
/// to place and read its segments.
package struct HLSPlaylist: Hashable, Sendable {
  /// A media segment.
  package struct Segment: Hashable, Sendable {
    /// The address of the segment as written in the playlist.
    package var uri: String
    /// The duration of the segment as stated in the playlist.
    package var length: MediaTime
    /// The byte range of the segment in its file; `nil` for the whole file.
    package var bytes: Range<Int>?
    /// The time since 1970 at which the first sample was recorded; `nil` if it is not stated.
    package var date: MediaTime?
    /// The media initialization section (`EXT-X-MAP`) of the segment; `nil` without one.
    package var map: InitializationSegment?
    /// True if the segment's timestamps do not continue those of the preceding one.
    package var isDiscontinuous = false
    /// True if the recorder marks the segment as missing (`EXT-X-GAP`).
    package var isGap = false
    /// The clockwise rotation of the pictures in degrees: 0, 90, 180 or 270; `nil` if not stated.
    package var rotation: Int?
  }

  /// A media initialization section.
  package struct InitializationSegment: Hashable, Sendable {
    package var uri: String
    package var bytes: Range<Int>?
  }

  /// A variant stream of a multivariant playlist.
  package struct Variant: Hashable, Sendable {
    package var uri: String
    /// The bandwidth in bits per second.
    package var bandwidth: Int
    /// The group of ``sounds`` that belongs to the variant; `nil` without one.
    package var sound: String?
  }

  /// The segments in order; empty in a multivariant playlist.
  package private(set) var segments: [Segment] = []
  /// The variants of a multivariant playlist, highest bandwidth first.
  package private(set) var variants: [Variant] = []
  /// The audio playlists of a multivariant playlist, by group: the default of each group, otherwise
  /// its first.
  package private(set) var sounds: [String: String] = [:]
  /// True if the playlist is complete (`EXT-X-ENDLIST`).
  package private(set) var isEnded = false
  /// The number of segments dropped before the first one (`EXT-X-MEDIA-SEQUENCE`), if the playlist
  /// is a window of a live stream.
  package private(set) var droppedCount = 0
  /// True if the playlist keeps all segments from the beginning on (`EXT-X-PLAYLIST-TYPE`).
  package private(set) var keepsAll = false
  /// True if any segment is encrypted.
  package private(set) var isEncrypted = false
  /// Facts from TRTC's recorder: the values of `#EXT-X-TRTC-…` tags, by the rest of their names.
  package private(set) var facts: [String: String] = [:]

  /// The largest size of a playlist in bytes, and the largest number of its segments.
  package static let (largestSize, mostSegments) = (16 << 20, 100_000)

  /// True if `path` has the extension of a playlist.
  package static func isPlaylist(_ path: some StringProtocol) -> Bool {
    path.utf8.count > 5 && path.suffix(5).lowercased() == ".m3u8"
  }

  /// Parses a playlist. Returns `nil` if `bytes` are not a playlist or exceed the limits.
  package init?(_ bytes: [UInt8]) {
    let lines = bytes.withoutByteOrderMark.split { $0 == 0x0a || $0 == 0x0d }
    guard bytes.count <= Self.largestSize, lines.first?.starts(with: "#EXTM3U".utf8) == true else {
      return nil
    }
    var reader = HLSPlaylistParser()
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

  /// Handles one tag line; tags of the next segment go to `reader`.
  private mutating func take(_ text: String, _ reader: inout HLSPlaylistParser) {
    let colon = text.firstIndex(of: ":")
    let name = text[..<(colon ?? text.endIndex)].dropFirst()
    let value = colon.map { text[text.index(after: $0)...] } ?? ""
    switch name {
    case "EXT-X-ENDLIST": isEnded = true
    case "EXT-X-MEDIA-SEQUENCE": droppedCount = min(1 << 40, max(0, Int(value) ?? 0))
    // A playlist of type EVENT or VOD is not a window.
    case "EXT-X-PLAYLIST-TYPE": reader.keepsAll = true
    case "EXT-X-KEY", "EXT-X-SESSION-KEY":
      isEncrypted = isEncrypted || HLSAttributeList(value)["METHOD"] != "NONE"
    case "EXT-X-MEDIA":
      let attributes = HLSAttributeList(value)
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

/// The state of the parser: the tags collected for the next segment or variant.
private struct HLSPlaylistParser {
  /// True if the next URI is that of a variant.
  private(set) var isVariant = false
  var keepsAll = false
  private var next = HLSPlaylist.Segment(uri: "", length: .zero)
  /// The byte range of the next segment as written.
  private var range: Substring?
  /// The current initialization section.
  private var map: HLSPlaylist.InitializationSegment?
  /// The current clockwise rotation in degrees.
  private var rotation: Int?
  /// The attributes of the next variant.
  private var attributes = HLSAttributeList("")

  mutating func take(_ name: Substring, _ value: Substring) {
    switch name {
    case "EXTINF":
      // Some recorders omit the comma and the text after it.
      let number = value.prefix { $0 != "," && $0 != " " }
      let time = DecimalLiteral(String(number))?.time(.seconds) ?? .zero
      next.length = min(max(.zero, time), MediaTime(seconds: 86400))
    case "EXT-X-BYTERANGE": range = value
    case "EXT-X-DISCONTINUITY": next.isDiscontinuous = true
    case "EXT-X-GAP": next.isGap = true
    case "EXT-X-PROGRAM-DATE-TIME": next.date = WallClockFormat.parse(String(value))
    case "EXT-X-STREAM-INF":
      isVariant = true
      attributes = HLSAttributeList(value)
    case "EXT-X-MAP":
      let attributes = HLSAttributeList(value)
      guard let uri = attributes["URI"] else { return }
      let new = HLSPlaylist.InitializationSegment(
        uri: uri, bytes: attributes["BYTERANGE"].flatMap { HLSAttributeList.range($0[...], 0) })
      if let map, map != new { next.isDiscontinuous = true }
      map = new
    case "EXT-X-AGORA-TRACK-EVENT":
      let attributes = HLSAttributeList(value)
      guard attributes["EVENT"] == "START" else { return }
      next.isDiscontinuous = true
      next.date = attributes["TIME"].flatMap(Self.time) ?? next.date
    case "EXT-X-AGORA-ROTATE":
      // The tag's degrees are counterclockwise.
      guard let degrees = HLSAttributeList(value)["ROTATE"].flatMap({ Int($0) }),
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

  /// Parses 17 digits of a UTC date, or milliseconds since 1970.
  private static func time(_ digits: String) -> MediaTime? {
    digits.utf8.count == 17
      ? WallClockFormat.parse(digits)
      : Int64(digits).flatMap { (0...Int64(1) << 45).contains($0) ? $0 : nil }
        .map { MediaTime(nanoseconds: $0 *| 1_000_000) }
  }

  /// Completes the next segment with its URI. A byte range without an offset continues that of
  /// `last`.
  mutating func segment(_ uri: String, after last: HLSPlaylist.Segment?) -> HLSPlaylist.Segment {
    defer { (next, range) = (HLSPlaylist.Segment(uri: "", length: .zero), nil) }
    (next.uri, next.map, next.rotation) = (uri, map, rotation)
    if let range {
      let start = last?.uri == uri ? last?.bytes?.upperBound : nil
      next.bytes = HLSAttributeList.range(range, start ?? 0)
    }
    // File names that end in a date give the segment's beginning.
    let name = uri.prefix { $0 != "?" }.split(separator: "/").last ?? ""
    let stem = name.split(separator: ".").first ?? ""
    if let digits = stem.split(separator: "_").last, digits.utf8.count == 17 {
      next.date = next.date ?? Self.time(String(digits))
    }
    return next
  }

  /// Completes the next variant with its URI.
  mutating func variant(_ uri: String) -> HLSPlaylist.Variant {
    defer { isVariant = false }
    return HLSPlaylist.Variant(
      uri: uri, bandwidth: attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0,
      sound: attributes["AUDIO"])
  }
}

/// The attributes of a tag: `NAME=value,NAME="value"`.
struct HLSAttributeList {
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

  /// Parses a byte range `count@first`; without `@first`, the range begins at `start`. `nil` if
  /// invalid.
  static func range(_ text: Substring, _ start: Int) -> Range<Int>? {
    let parts = text.split(separator: "@").map { Int($0) }
    guard let count = parts.first ?? nil, count > 0 else { return nil }
    let first = parts.count > 1 ? parts[1] ?? -1 : start
    let (end, overflows) = first.addingReportingOverflow(count)
    return first >= 0 && !overflows ? first..<end : nil
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without leading and trailing spaces and tabs.
  fileprivate var trimmed: Self {
    let head = drop { $0 == 0x20 || $0 == 0x09 }
    guard let end = head.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return [] }
    return head[...end]
  }
}
