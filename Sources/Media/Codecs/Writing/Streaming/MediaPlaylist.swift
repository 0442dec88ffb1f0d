import Foundation
import TesseraTimeline

/// A media playlist of HTTP Live Streaming (RFC 8216, section 4): the segments of one rendition in
/// order of time.
package struct MediaPlaylist: Hashable, Sendable {
  /// One media segment.
  package struct Segment: Hashable, Sendable {
    /// The file name, relative to the playlist.
    package var name: String
    package var byteCount: Int
    /// The duration in microseconds, above 0.
    package var duration: Int64
    /// The size in bytes up to the end of the first picture; `nil` if unknown.
    package var keyframeSize: Int?
  }

  /// The name of the initialization segment; `nil` if segments need none.
  package var head: String?
  /// The segments in order of time.
  package var segments: [Segment] = []
  /// True for an I-frame playlist: only the first ``Segment/byteCount`` bytes of each file belong
  /// to it, the first picture.
  private var isKeyframes = false

  /// The I-frame playlist for trick play, with the first picture of each segment (RFC 8216, section
  /// 4.3.3.6); `nil` if a size is unknown.
  package var keyframes: MediaPlaylist? {
    var pictures = self
    pictures.isKeyframes = true
    for index in segments.indices {
      guard let size = segments[index].keyframeSize else { return nil }
      pictures.segments[index].byteCount = size
    }
    return segments.isEmpty ? nil : pictures
  }

  /// Creates a playlist of `segments` with the initialization segment `head`.
  package init(head: String? = nil, segments: [Segment] = []) {
    (self.head, self.segments) = (head, segments)
  }

  /// The target duration in seconds: no rounded segment duration exceeds it. At least 1.
  package var targetDuration: Int {
    segments.reduce(1) { max($0, Int(clamping: ($1.duration +| 500_000) / 1_000_000)) }
  }

  /// Returns the content of the playlist file. `targetDuration` is the maximum over all renditions
  /// that play together.
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

  /// The average bit rate of all segments in bit/s, rounded up.
  package var averageBitRate: Int {
    Self.bitRate(
      segments.reduce(0) { $0 +| $1.byteCount }, segments.reduce(0) { $0 +| $1.duration })
  }

  /// Returns the peak bit rate in bit/s, rounded up: the highest rate of consecutive segments that
  /// last between 0.5 and 1.5 times `targetDuration` seconds (RFC 8216, section 4.1).
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
