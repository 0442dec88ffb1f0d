import Foundation
import Glibc
import TesseraCodecs
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct DemuxerTests {
  private static func reason(_ path: String) -> MediaError.Reason? {
    do throws(MediaError) {
      _ = try MediaFileInfo.scan(path, cancellation: Cancellation())
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func onlyRegularFilesAreOpened() throws {
    let folder = try TemporaryFolder()
    #expect(Self.reason(folder.path) == .notARegularFile)
    #expect(Self.reason("/dev/zero") == .notARegularFile)
    let pipe = folder.path("pipe.mp4")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(Self.reason(pipe) == .notARegularFile)
    #expect(Self.reason(folder.path("missing.mp4")) == .unreadable("No such file or directory"))
    try Data().write(to: URL(filePath: folder.path("empty.mp4")))
    #expect(Self.reason(folder.path("empty.mp4")) == .empty)
  }

  @Test func namesAreNeverProtocols() throws {
    let names = ["http://127.0.0.1:9/a.mp4", "concat:a|b", "pipe:0", "data:,abc", "file:a.mp4"]
    for name in names {
      #expect(Self.reason(name) == .unreadable("No such file or directory"))
    }
  }

  @Test(arguments: [
    "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile://TARGET\n#EXT-X-ENDLIST\n",
    "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nTARGET\n#EXT-X-ENDLIST\n",
    "ffconcat version 1.0\nfile TARGET\n",
    "ffconcat version 1.0\nfile 'target.mp4'\n",
    "<?xml version=\"1.0\"?><MPD type=\"static\"><BaseURL>file://TARGET</BaseURL></MPD>\n",
    "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n",
    "[playlist]\nFile1=TARGET\n",
  ])
  func filesNamedInsideAFileAreNotOpened(text: String) throws {
    let folder = try TemporaryFolder()
    let target = folder.path("target.mp4")
    try Tool.ffmpeg(["-f", "lavfi", "-i", "testsrc=size=64x48:duration=0.2", target])
    let path = folder.path("playlist.mp4")
    try text.replacing("TARGET", with: target)
      .write(toFile: path, atomically: true, encoding: .utf8)

    let watch = try OpenWatch(target)
    let reason = Self.reason(path)
    #expect(!watch.hasSeenOpening)
    #expect(reason != nil)
    if text.hasPrefix("#EXTM3U") || text.hasPrefix("ffconcat") {
      #expect(reason == .notAMediaFile)
    }
    _ = FileManager.default.contents(atPath: target)
    #expect(watch.hasSeenOpening)
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: ["mk_playlist_named.mp4", "mk_ffconcat_named.mp4", "mk_png_named.mp4"])
  func otherContentUnderAVideoNameIsRefused(name: String) {
    #expect(Self.reason(SharedMedia.path("hostile/\(name)")) == .notAMediaFile)
  }

  /// libav* takes the first text for damaged MPEG-TS. The second is longer than the bytes that are
  /// looked at, which end within a character.
  @Test(arguments: ["", ".." + String(repeating: "é", count: 3000)])
  func textIsNotADamagedRecording(end: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("call.md")
    let text = """
      # Where do we go this summer?

      **Ada Okafor** [0:00.5]

      Good morning um everybody.

      **Ben Lindqvist** [0:04.2]

      ~~I hear uh~~ you well.

      **Chloé Martin** [0:10.0]

      Here is the ah mapp of coast.

      <!-- transcript 2836d041278e9976 -->
      <!-- Tessera 0.1.0 sha256:55830ffb170d38ccd5ba0a58b62444560781c6d3566b89446ed53302be883f16 -->
      """
    try (text + end).write(toFile: path, atomically: true, encoding: .utf8)
    #expect(Self.reason(path) == .notAMediaFile)
  }

  @Test func messagesNameTheFileAndASolution() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("page.mp4")
    try "<html>403</html>".write(toFile: path, atomically: true, encoding: .utf8)
    for reason in [
      MediaError.Reason.notAMediaFile, .empty, .notARegularFile, .unreadable("denied"),
      .damagedHeader("moov atom not found"), .nothingDecodable(nil), .nothingDecodable("broken"),
      .part(isSegment: true), .part(isSegment: false), .encrypted,
    ] {
      let text = MediaError(path: path, reason: reason).description
      #expect(text.contains(path) && text.hasSuffix(".") && text.contains(";"))
      #expect(!text.dropLast().contains(". "))
    }
    #expect(Self.reason(path) != nil)
  }
}

/// Detects whether any process opens a file.
private final class OpenWatch {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = inotify_init1(Int32(O_NONBLOCK))
    try #require(unsafe inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
  }

  deinit { close(descriptor) }

  /// True if the file was opened since the previous call.
  var hasSeenOpening: Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    return unsafe buffer.withUnsafeMutableBytes {
      unsafe read(descriptor, $0.baseAddress, $0.count)
    } > 0
  }
}
