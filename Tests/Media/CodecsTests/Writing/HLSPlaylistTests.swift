import Foundation
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

/// Durations and bit rates in playlists.
@Suite(.timed) struct HLSPlaylistTests {
  private func playlist(_ segments: [(bytes: Int, seconds: Double)]) -> MediaPlaylist {
    MediaPlaylist(
      head: "init.mp4",
      segments: segments.enumerated().map { number, segment in
        MediaPlaylist.Segment(
          name: "\(number).m4s", byteCount: segment.bytes,
          duration: Int64((segment.seconds * 1e6).rounded()))
      })
  }

  @Test("The target duration is that of the longest segment, rounded like players do")
  func targets() {
    #expect(playlist([(1, 4.2), (1, 5.499_999)]).targetDuration == 5)
    #expect(playlist([(1, 5.5)]).targetDuration == 6)
    #expect(playlist([(1, 0.1)]).targetDuration == 1)
  }

  @Test("Bit rates are the average of all segments, and the peak over about a target duration")
  func bitRates() {
    let list = playlist([(1000, 5), (5000, 5), (100, 0.1), (1000, 5)])
    #expect(list.averageBitRate == (7100 * 8 * 10 + 150) / 151)
    // A segment of 0.1 s alone has no peak.
    #expect(list.peakBitRate(targetDuration: 5) == 8000)
    #expect(playlist([(100, 0.1)]).peakBitRate(targetDuration: 5) == 8000)
    #expect(playlist([(1000, 2), (2000, 2)]).peakBitRate(targetDuration: 4) == 8000)
  }

  @Test("All variants count the sound and the captions in their rates")
  func sums() {
    var master = MasterPlaylist(
      variants: [
        .init(
          address: "a/index.m3u8", playlist: playlist([(10_000, 4)]), codec: "avc1.640028",
          size: PixelSize(width: 1920, height: 1080), frameRate: Ratio(30000, 1001))
      ],
      sound: .init(
        address: "audio/index.m3u8", playlist: playlist([(1000, 4)]), codec: "mp4a.40.2",
        channelCount: 2))
    #expect(
      master.text.contains(
        "#EXT-X-STREAM-INF:BANDWIDTH=22000,AVERAGE-BANDWIDTH=22000,CODECS=\"avc1.640028,mp4a.40.2\""
          + ",RESOLUTION=1920x1080,FRAME-RATE=29.970,AUDIO=\"audio\"\na/index.m3u8\n"))
    master.captions = [
      .init(
        address: "c/index.m3u8", playlist: playlist([(50, 4)]), name: "English", language: "en")
    ]
    #expect(master.text.contains("BANDWIDTH=22100,AVERAGE-BANDWIDTH=22100,"))
  }

  @Test(
    "The checker finds each kind of error",
    arguments: [
      ("index.m3u8", "#EXT-X-ENDLIST\n", "", "4.3.3.4"),
      ("index.m3u8", "TARGETDURATION:1", "TARGETDURATION:0", "4.3.3.1"),
      ("index.m3u8", "VERSION:6", "VERSION:4", "section 7"),
      ("index.m3u8", "EXTINF:1.000000", "EXTINF:0.900000", "4.3.2.1"),
      ("index.m3u8", "00001.m4s", "00002.m4s", "4.3.2"),
      ("index.m3u8", "#EXTM3U", "", "4.3.1.1"),
      ("master.m3u8", "BANDWIDTH=", "BANDWIDTH=1", "4.3.4.2"),
      ("master.m3u8", "RESOLUTION=", "RESOLUTION=,X=", "4.2"),
      ("master.m3u8", ",FRAME-RATE=30.000", "", "4.3.4.2"),
    ])
  func checker(file: String, from: String, to: String, section: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("web")
    try FileOperations.makeFolder(path)
    let segments = try TestPieces.segments(folder, [0..<30], TestPieces.settings())
    try HLSPackager(rungs: [.init("64p", segments: segments)], soundtrack: nil)
      .write(to: path, cancellation: Cancellation())
    #expect(try PlaylistCheck.complaints(path) == [])
    let url = URL(
      fileURLWithPath: file == "master.m3u8" ? "\(path)/\(file)" : "\(path)/64p/\(file)")
    let text = try String(contentsOf: url, encoding: .utf8)
    try Data(text.replacing(from, with: to, maxReplacements: 1).utf8).write(to: url)
    let complaints = try PlaylistCheck.complaints(path)
    let wanted = section.hasPrefix("section") ? "RFC 8216, 7)" : "RFC 8216, \(section)"
    #expect(complaints.contains { $0.contains(wanted) }, "\(complaints)")
  }
}
