import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRecordings

/// Unsupported formats that are recognized, and not mistaken for others.
@Suite("Recognized formats", .timed) struct UnsupportedRecordingDetectorTests {
  private static let playlist = """
    #EXTM3U
    #EXT-X-MAP:URI="init.mp4"
    #EXTINF:4.0,
    ada_00000.ts
    #EXTINF:4.0
    https://host/path/ada_00001.ts?signature=a
    #EXTINF:4,
    ../ben.ts
    #EXT-X-ENDLIST
    """

  private func error(_ source: RecordingSource) -> String {
    do {
      return try ImporterRegistry.recording(from: source).lines.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  @Test("A playlist is a participant, and its segments are not")
  func segments() throws {
    let media = ["ada_00000.ts", "ada_00001.ts", "init.mp4", "ben.ts", "cyd.webm"]
    let recording = try ImporterRegistry.recording(
      from: .folder(["ada.m3u8": Self.playlist], media: media))
    #expect(recording.participants.map(\.name).sorted() == ["ada", "ben", "cyd"])
    #expect(recording.leftOut.isSuperset(of: ["ada_00000.ts", "ada_00001.ts", "init.mp4"]))
  }

  @Test("Unsupported formats are skipped with a note")
  func foreignFormats() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder([:], media: ["ada.wav", "ben.AIF", "cyd.mxf", "notes.txt", "dan.insv"]))
    #expect(recording.participants.map(\.name) == ["ada", "dan"])
    #expect(recording.notes.count == 2)
    #expect(recording.notes[0].hasPrefix("ben.AIF is left out: AIFF is a format that"))
  }

  @Test("A playlist without any segments is skipped, and an error if it is alone")
  func nothingThere() throws {
    let alone = error(.folder(["a/ada.m3u8": Self.playlist], media: []))
    #expect(
      alone.contains("none of the files that it names exists: the first is ada_00000.ts"),
      "\(alone)")
    let beside = try ImporterRegistry.recording(
      from: .folder(["ada.m3u8": Self.playlist, "mix.m3u8": "#EXT"], media: ["cyd.webm"]))
    #expect(beside.participants.map(\.name) == ["cyd"])
    #expect(beside.notes.contains { $0.hasPrefix("ada.m3u8 is left out: none") })
    #expect(beside.notes.contains { $0.hasPrefix("mix.m3u8 is left out: it is not a playlist") })
  }

  @Test("Of several playlists of one recording, one is used")
  func chosen() throws {
    let head = "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:"
    let entries = (0..<4).map { "#EXTINF:2,\na\($0).ts\n" }
    let files = [
      "live.m3u8": head + "2\n" + entries[2...].joined(),
      "whole.m3u8": head + "0\n" + entries.joined() + "#EXT-X-ENDLIST",
      "first.m3u8": head + "0\n" + entries[..<3].joined(),
      "multi.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5\nx/high.m3u8\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=2\nx/low.m3u8\n",
      "x/high.m3u8": "#EXTM3U\n#EXTINF:2,\nb.ts", "x/low.m3u8": "#EXTM3U\n#EXTINF:2,\nc.ts",
      // A playlist that names itself has no content.
      "loop.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5\nloop.m3u8\n",
    ]
    let media = (0..<4).map { "a\($0).ts" } + ["x/b.ts", "x/c.ts"]
    let recording = try ImporterRegistry.recording(from: .folder(files, media: media))
    #expect(recording.tracks.map(\.file).sorted() == ["multi.m3u8", "whole.m3u8"])
    #expect(recording.notes.contains("live.m3u8 is left out: whole.m3u8 names the same segments."))
  }

  @Test("BigBlueButton folders are recognized")
  func bigBlueButton() {
    let raw = error(
      .folder(
        ["events.xml": "<?xml version=\"1.0\"?>\n<recording meeting_id=\"x\" bbb_version=\"2.7\">"],
        media: ["video/medium-w-ada.webm"]))
    #expect(raw.contains("a BigBlueButton recording") && raw.contains("medium-w-ada"), "\(raw)")
    let published = error(
      .folder(
        ["shapes.svg": "<svg/>", "metadata.xml": "<recording/>"], media: ["video/webcams.webm"]))
    #expect(published.contains("a BigBlueButton recording"), "\(published)")
    // Other files with these names belong to a participant.
    let other = error(.folder(["events.xml": "<events/>"], media: ["ada.webm"]))
    #expect(other.hasPrefix("ada: "), "\(other)")
  }

  private static let craig =
    "Recording aBcD1234\r\n\r\nGuild:\t\tThe Table (1)\r\n"
    + "Channel:\tgame-night (2)\r\nRequester:\tada (3)\r\nStart time:\t2025-10-09T08:53:20.412Z\r\n"
    + "\r\nTracks:\r\n\tAda Lovelace (ada) (3)\r\n\tbob#0 (4)\r\n\r\nNotes:\r\n\t0:00:05: part one\r\n"
    + "\t0:01:07.25: part: two\r\n"

  @Test("Craig's participants have their names, and notes become chapters")
  func craigsNames() throws {
    for text in [Self.craig, Self.craig.replacing("\r\n", with: "\n")] {
      let recording = try ImporterRegistry.recording(
        from: .folder(["info.txt": text, "raw.dat": "x"], media: ["1-ada.flac", "2-bob.flac"]))
      #expect(
        recording.lines == [
          "Ada Lovelace: microphone 1-ada.flac 0.000-end", "bob: microphone 2-bob.flac 0.000-end",
        ])
      #expect(recording.title == "game-night")
      #expect(recording.startedAt.map(WallClockFormat.text) == "2025-10-09T08:53:20.412Z")
      #expect(
        recording.chapters == [
          ChapterFileReader.ChapterMark(.at("5"), "part one"),
          ChapterFileReader.ChapterMark(.at("67.25"), "part: two"),
        ])
    }
  }

  @Test("Other texts with that file name are not Craig's, and odd ones still give participants")
  func craigsOddities() throws {
    #expect(error(.folder(["info.txt": "hello"], media: ["ada.flac"])).hasPrefix("ada: "))
    let many = Self.craig.replacing("\tbob#0 (4)", with: "\t(((\r\n\t\r\n\t#")
    let recording = try ImporterRegistry.recording(
      from: .folder(
        ["info.txt": many], media: ["01-ada.flac", "2-.flac", "3.flac", "99-eve.flac", "x.flac"]))
    #expect(recording.participants.map(\.name) == ["Ada Lovelace", "(((", "#", "eve"])
  }
}
