import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@Suite("HLS playlists", .timed) struct HLSPlaylistTests {
  private static func read(_ lines: String...) throws -> HLSPlaylist {
    try #require(HLSPlaylist(Array((["#EXTM3U"] + lines).joined(separator: "\n").utf8)))
  }

  @Test("Durations with and without a comma; dates, gaps, maps and ends are read")
  func segments() throws {
    let list = try Self.read(
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-MAP:URI=\"init-0.mp4\",BYTERANGE=\"20@4\"",
      "#EXT-X-PROGRAM-DATE-TIME:2025-10-09T08:53:20.82Z", "#EXTINF:4.004,a title", "a.m4s",
      "#EXTINF:15.019000", "b.m4s", "#EXT-X-GAP", "#EXTINF:2,", "c.m4s",
      "#EXT-X-MAP:URI=\"init-1.mp4\"", "#EXTINF:nonsense", "d.m4s", "#EXT-X-ENDLIST")
    #expect(list.segments.map(\.uri) == ["a.m4s", "b.m4s", "c.m4s", "d.m4s"])
    #expect(list.segments.map(\.length.seconds) == [4.004, 15.019, 2, 0])
    #expect(list.segments.map(\.isGap) == [false, false, true, false])
    #expect(list.segments.map(\.isDiscontinuous) == [false, false, false, true])
    #expect(list.segments[0].map?.uri == "init-0.mp4" && list.segments[0].map?.bytes == 4..<24)
    #expect(list.date.map(WallClockFormat.text) == "2025-10-09T08:53:20.820Z")
    #expect(list.isEnded && !list.isEncrypted && list.droppedCount == 0)
  }

  @Test("Byte ranges in one file are consecutive")
  func ranges() throws {
    let list = try Self.read(
      "#EXT-X-BYTERANGE:100@50", "#EXTINF:2,", "a.ts", "#EXT-X-BYTERANGE:30", "#EXTINF:2,", "a.ts",
      "#EXT-X-BYTERANGE:9223372036854775807@1", "#EXTINF:2,", "a.ts", "#EXTINF:2,", "b.ts")
    #expect(list.segments.map(\.bytes) == [50..<150, 150..<180, nil, nil])
  }

  @Test("The best variant comes first, with its sound")
  func variants() throws {
    let list = try Self.read(
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",URI=\"other.m3u8\"",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"y,z\",DEFAULT=YES,URI=\"sound.m3u8\"",
      "#EXT-X-STREAM-INF:BANDWIDTH=100,CODECS=\"avc1,mp4a\"", "low.m3u8",
      "#EXT-X-STREAM-INF:BANDWIDTH=900,AUDIO=\"a\"", "high.m3u8")
    #expect(list.segments.isEmpty && list.variants.map(\.uri) == ["high.m3u8", "low.m3u8"])
    #expect(list.variants[0].sound.flatMap { list.sounds[$0] } == "sound.m3u8")
  }

  @Test("A live window lacks its beginning, and a growing playlist does not")
  func windows() throws {
    #expect(try Self.read("#EXT-X-MEDIA-SEQUENCE:7", "#EXTINF:1,", "a.ts").droppedCount == 7)
    let growing = try Self.read(
      "#EXT-X-PLAYLIST-TYPE:EVENT", "#EXT-X-MEDIA-SEQUENCE:7", "#EXTINF:1,", "a.ts")
    #expect(growing.droppedCount == 0 && !growing.isEnded)
    #expect(try Self.read("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "a.ts").isEncrypted)
    #expect(try !Self.read("#EXT-X-KEY:METHOD=NONE", "a.ts").isEncrypted)
  }

  @Test("Agora's runs, rotations and two kinds of times")
  func agora() throws {
    let list = try Self.read(
      "#EXT-X-DISCONTINUITY", "#EXT-X-AGORA-ROTATE:WIDTH=640,HEIGHT=480,ROTATE=90,TIME=1",
      "#EXT-X-AGORA-TRACK-EVENT:EVENT=START,TRACK_TYPE=VIDEO,TIME=20251009085320412",
      "#EXTINF:15.2", "s_c__uid_s_1__uid_e_video_20251009085320412.ts", "#EXTINF:5.0",
      "s_c__uid_s_1__uid_e_video_20251009085335612.ts",
      "#EXT-X-AGORA-TRACK-EVENT:EVENT=START,TRACK_TYPE=VIDEO,TIME=1760000040000", "#EXTINF:5.0",
      "x.ts", "#EXT-X-AGORA-ROTATE:WIDTH=640,HEIGHT=480,ROTATE=0,TIME=1", "#EXTINF:5.0", "y.ts")
    #expect(list.segments.map(\.isDiscontinuous) == [true, false, true, true])
    #expect(list.segments.map(\.rotation) == [270, 270, 270, 0])
    #expect(
      list.segments.map { $0.date.map(WallClockFormat.text) } == [
        "2025-10-09T08:53:20.412Z", "2025-10-09T08:53:35.612Z", "2025-10-09T08:54:00.000Z", nil,
      ])
  }

  @Test("TRTC's clock and metadata")
  func trtc() throws {
    let list = try Self.read(
      "#EXT-X-TARGETDURATION:10", "#EXT-X-TRTC-START-REC-TIME:1760000000412",
      "#EXT-X-TRTC-USER-ID:ada", "#EXTINF:10.05,", "a.ts",
      "#EXT-X-TRTC-FILE-ATTR:1760000010462,600", "#EXTINF:10,", "b.ts")
    #expect(list.facts["USER-ID"] == "ada")
    #expect(
      list.segments.map { $0.date?.nanoseconds } == [
        1_760_000_000_412_000_000, 1_760_000_010_462_000_000,
      ])
  }

  @Test(
    "Named files are searched below the folder only",
    arguments: [
      ("a.ts", "c/a.ts"), ("x/a.ts?signature=1", "c/x/a.ts"), ("https://h/y/a.ts", "c/a.ts"),
      ("/etc/a.ts", "c/a.ts"), ("gone/a.ts", "c/a.ts"), ("a%20b.ts", "c/a b.ts"),
      ("../a.ts", nil), ("x/../../a.ts", nil), ("%2e%2e/a.ts", "c/a.ts"),
      ("file:///etc/passwd", nil),
      ("", nil), ("\u{1}a.ts", nil), ("../\u{301}a.ts", nil), ("/etc/\u{301}a.ts", "c/\u{301}a.ts"),
    ])
  func paths(uri: String, expected: String?) {
    let there: Set = [
      "a.ts", "c/a.ts", "c/x/a.ts", "c/a b.ts", "etc/passwd", "../\u{301}a.ts", "c/\u{301}a.ts",
    ]
    #expect(HLSPlaylist.path(of: uri, in: "c/list.m3u8", isPresent: there.contains) == expected)
  }

  @Test("Other texts, and too many segments, are refused")
  func others() {
    #expect(HLSPlaylist([]) == nil && HLSPlaylist(Array("hello".utf8)) == nil)
    let long = Array(("#EXTM3U\n" + String(repeating: "a\n", count: 100_001)).utf8)
    #expect(HLSPlaylist(long) == nil)
    #expect(HLSPlaylist(Array(long.dropLast(2)))?.segments.count == 100_000)
    #expect(HLSPlaylist([0xef, 0xbb, 0xbf] + Array("#EXTM3U\r\n\r\n \ta.ts \r\n".utf8)) != nil)
  }

  @Test("Damaged playlists are read up to the damage")
  func damaged() throws {
    let whole = Array(
      """
      #EXTM3U
      #EXT-X-MEDIA-SEQUENCE:3
      #EXT-X-MAP:URI="init.mp4",BYTERANGE="1@2"
      #EXT-X-PROGRAM-DATE-TIME:2025-10-09T08:53:20.82Z
      #EXT-X-BYTERANGE:100@50
      #EXTINF:4.004,
      a.ts
      #EXT-X-AGORA-ROTATE:WIDTH=1,HEIGHT=2,ROTATE=90,TIME=20251009085320412
      #EXT-X-TRTC-FILE-ATTR:1760000010462,600
      #EXTINF:4.004,
      b_20251009085320412.ts
      #EXT-X-STREAM-INF:BANDWIDTH=5,AUDIO="a"
      c.m3u8
      """.utf8)
    var random = SplitMix64(seed: 43)
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int(random.next() % 12) {
        let place = 8 + Int(random.next() % UInt64(bytes.count - 8))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 20)))
        default: bytes.insert(contentsOf: bytes[8..<place], at: place)
        }
      }
      guard let list = HLSPlaylist(bytes) else { continue }
      #expect(list.length >= .zero && list.segments.allSatisfy { $0.bytes?.isEmpty != true })
    }
  }
}
