import Foundation
import TesseraTimeline

/// The segments of one rendition in the order of time: a Media Playlist of HTTP Live Streaming
/// (RFC 8216, section 4).
package struct MediaPlaylist: Hashable, Sendable {
  /// A stretch that is fetched alone.
  package struct Segment: Hashable, Sendable {
    /// Its file, seen from the playlist.
    package var name: String
    /// Its size in bytes.
    package var byteCount: Int
    /// How long it lasts in microseconds, more than 0.
    package var duration: Int64
    /// The size in bytes up to the end of the first picture; nil where it is not known.
    package var keyframeSize: Int?

    /// The segment in the file `name`.
    package init(_ name: String, byteCount: Int, duration: Int64) {
      (self.name, self.byteCount, self.duration) = (name, byteCount, duration)
    }
  }

  /// The file that is needed before any segment; nil where each stands for itself.
  package var head: String?
  /// The segments.
  package var segments: [Segment] = []
  /// True if only the first ``Segment/byteCount`` bytes of each file are meant: its first picture.
  private var isKeyframes = false

  /// The first picture of each segment, for seeking with pictures (RFC 8216, section 4.3.3.6); nil where a size is not
  /// known.
  package var keyframes: MediaPlaylist? {
    var pictures = self
    pictures.isKeyframes = true
    for index in segments.indices {
      guard let size = segments[index].keyframeSize else { return nil }
      pictures.segments[index].byteCount = size
    }
    return segments.isEmpty ? nil : pictures
  }

  /// The playlist of `segments`, which need `head` before them.
  package init(head: String? = nil, segments: [Segment] = []) {
    (self.head, self.segments) = (head, segments)
  }

  /// What no segment is longer than, in seconds, once its own length is rounded; at least 1.
  package var targetDuration: Int {
    segments.reduce(1) { max($0, Int(clamping: ($1.duration +| 500_000) / 1_000_000)) }
  }

  /// The playlist's text; `targetDuration` is that of all renditions that are played together.
  package func text(targetDuration: Int) -> String {
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:\(head == nil ? 3 : 6)",
      "#EXT-X-TARGETDURATION:\(targetDuration)", "#EXT-X-PLAYLIST-TYPE:VOD",
    ]
    if isKeyframes { lines.append("#EXT-X-I-FRAMES-ONLY") }
    if let head { lines += ["#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-MAP:URI=\"\(head)\""] }
    for segment in segments {
      let (seconds, rest) = segment.duration.quotientAndRemainder(dividingBy: 1_000_000)
      lines.append(String(format: "#EXTINF:%ld.%06ld,", Int(seconds), Int(rest)))
      if isKeyframes { lines.append("#EXT-X-BYTERANGE:\(segment.byteCount)@0") }
      lines.append(segment.name)
    }
    return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
  }

  /// The bits a second of all segments together, rounded up.
  package var averageBitRate: Int {
    Self.bitRate(
      segments.reduce(0) { $0 +| $1.byteCount }, segments.reduce(0) { $0 +| $1.duration })
  }

  /// The most bits a second, rounded up, of any segments in a row that last from one half to three
  /// halves of `targetDuration` seconds (RFC 8216, section 4.1).
  package func peakBitRate(targetDuration: Int) -> Int {
    let target = Int64(targetDuration) *| 1_000_000
    var peak: Int?
    for first in segments.indices {
      var (bytes, duration) = (0, Int64(0))
      for segment in segments[first...] {
        bytes = bytes +| segment.byteCount
        duration = duration +| segment.duration
        if duration *| 2 > target *| 3 { break }
        if duration *| 2 >= target { peak = max(peak ?? 0, Self.bitRate(bytes, duration)) }
      }
    }
    return peak ?? averageBitRate
  }

  private static func bitRate(_ bytes: Int, _ microseconds: Int64) -> Int {
    guard microseconds > 0 else { return 0 }
    return (bytes * 8_000_000 + Int(microseconds) - 1) / Int(microseconds)
  }
}
