import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct PlainFilesImporterTests {
  @Test(arguments: [
    (["ada.webm", "ben.mp4"], ["ada: media ada.webm 0.000-end", "ben: media ben.mp4 0.000-end"]),
    (
      ["ada-1.webm", "ada-2.webm", "ada-10.webm", "ben.webm"],
      [
        "ada: camera ada-1.webm 0.000-end", "ada: camera ada-2.webm after ada-1-end",
        "ada: camera ada-10.webm after ada-2-end", "ben: media ben.webm 0.000-end",
      ]
    ),
    (
      ["ada-camera.webm", "ada-mic.wav", "ada-screen.mp4"],
      [
        "ada: camera ada-camera.webm 0.000-end", "ada: microphone ada-mic.wav 0.000-end",
        "ada: screen ada-screen.mp4 0.000-end",
      ]
    ),
    (
      ["Ada Lovelace.webm", "ada lovelace_screen share.webm"],
      [
        "Ada Lovelace: camera Ada Lovelace.webm 0.000-end",
        "Ada Lovelace: screen ada lovelace_screen share.webm 0.000-end",
      ]
    ),
    (
      ["participant-1.webm", "participant-2.webm", "guest_3.mp4"],
      [
        "guest_3: media guest_3.mp4 0.000-end", "participant-1: media participant-1.webm 0.000-end",
        "participant-2: media participant-2.webm 0.000-end",
      ]
    ),
    (
      ["camera-1.webm", "camera-2.webm"],
      ["camera-1: camera camera-1.webm 0.000-end", "camera-2: camera camera-2.webm 0.000-end"]
    ),
    (
      ["ada/camera.webm", "ada/mic.ogg", "ben/camera.webm"],
      [
        "ada: camera ada/camera.webm 0.000-end", "ada: microphone ada/mic.ogg 0.000-end",
        "ben: camera ben/camera.webm 0.000-end",
      ]
    ),
    (
      ["ada.webm", "ada.mp4"],
      ["ada: media ada.mp4 0.000-end", "ada: media ada.webm 0.000-end"]
    ),
    (
      ["ada.webm", "ada.wav"],
      ["ada: microphone ada.wav 0.000-end", "ada: camera ada.webm 0.000-end"]
    ),
    (
      ["ada_2025-10-09T08-53-20Z.webm", "ada_2025-10-09T08-59-00Z.webm"],
      [
        "ada: camera ada_2025-10-09T08-53-20Z.webm 0.000-end",
        "ada: camera ada_2025-10-09T08-59-00Z.webm after ada_2025-10-09T08-53-20Z-end",
      ]
    ),
    (
      ["recording-1760000000412.webm", "recording-1760000000500.webm"],
      [
        "recording-1760000000412: media recording-1760000000412.webm 0.000-end",
        "recording-1760000000500: media recording-1760000000500.webm 0.000-end",
      ]
    ),
    (["take-2.webm"], ["take-2: media take-2.webm 0.000-end"]),
    (
      ["audio-shorter-than-video.mp4", "man-with-headset-smiles.mp4"],
      [
        "audio-shorter-than-video: media audio-shorter-than-video.mp4 0.000-end",
        "man-with-headset-smiles: media man-with-headset-smiles.mp4 0.000-end",
      ]
    ),
    (
      ["h264_0.mp4", "h264_1.mp4"],
      ["h264_0: media h264_0.mp4 0.000-end", "h264_1: media h264_1.mp4 0.000-end"]
    ),
    (["ada-audio.mp4"], ["ada: media ada-audio.mp4 0.000-end"]),
    // A word in a name says nothing about pictures in the file.
    (
      ["seek_with_sound.ogg", "voice.wav"],
      ["seek_with: media seek_with_sound.ogg 0.000-end", "voice: microphone voice.wav 0.000-end"]
    ),
    (
      ["face_480x480_30_h264.mp4", "face_640x480_25_vp8.mp4"],
      [
        "face: camera face_480x480_30_h264.mp4 0.000-end",
        "face: camera face_640x480_25_vp8.mp4 0.000-end",
      ]
    ),
    (
      ["video-12345.webm", "audio-12345.wav"],
      ["12345: microphone audio-12345.wav 0.000-end", "12345: camera video-12345.webm 0.000-end"]
    ),
  ])
  func namesGroup(files: [String], lines: [String]) throws {
    let recording = try ImporterRegistry.recording(from: .folder([:], media: files))
    #expect(recording.lines == lines)
  }

  @Test func aMicrophoneReplacesTheCamerasSound() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder([:], media: ["ada-camera.webm", "ada-mic.wav", "ben-camera.webm"]))
    #expect(recording.tracks.map(\.isHeard) == [false, true, true])
  }

  @Test(
    arguments: [
      ("ada-1760000000412.webm", 1_760_000_000_412_000_000, "ada"),
      ("1760000000412500_ada.webm", 1_760_000_000_412_500_000, "ada"),
      ("ada 2025-10-09 08.53.20.412.webm", 1_760_000_000_412_000_000, "ada"),
      ("ada-20251009T085320Z.webm", 1_760_000_000_000_000_000, "ada"),
      ("ada_2025-10-09T10-53-20+0200.webm", 1_760_000_000_000_000_000, "ada"),
      ("20251009085320412-ada.webm", 1_760_000_000_412_000_000, "ada"),
    ] as [(String, Int64, String)])
  func timesInNamesAreRead(file: String, nanoseconds: Int64, person: String) throws {
    let recording = try ImporterRegistry.recording(from: .folder([:], media: [file, "x.webm"]))
    let track = try #require(recording.tracks.first { $0.file == file })
    #expect(track.anchors.map(\.time) == [MediaTime(nanoseconds: nanoseconds)])
    #expect(track.place == nil)
  }

  @Test(arguments: ["ada-12345678901.webm", "ada-2025-13-09T08-53-20.webm", "ada-20251009.webm"])
  func otherNumbersAreNoTimes(file: String) throws {
    let recording = try ImporterRegistry.recording(from: .folder([:], media: [file]))
    #expect(recording.tracks[0].anchors.isEmpty)
  }

  @Test func mixesAreSkippedInFolders() throws {
    let media = ["GMT20251009-085320_Recording_gallery_1920x1080.mp4", "ada.webm", "mixed.wav"]
    let recording = try ImporterRegistry.recording(from: .folder([:], media: media))
    #expect(recording.tracks.map(\.file) == ["ada.webm"] && recording.notes.count == 2)
    // Intentionally skipped files are not reported as unused.
    #expect(recording.unusedFiles(among: media + ["spare.webm"]) == ["spare.webm"])
    #expect(
      try ImporterRegistry.recording(from: .folder([:], media: ["mixed.wav"])).tracks.count == 1)
    // If nothing else has pictures, a mix with pictures is rendered.
    let sounds = ["ada.wav", "ben.wav", "gallery.mp4", "mixed.wav"]
    let mix = try ImporterRegistry.recording(from: .folder([:], media: sounds))
    #expect(mix.lines == ["Everyone: media gallery.mp4 0.000-end"])
    #expect(mix.leftOut == ["ada.wav", "ben.wav", "mixed.wav"] && mix.notes.count == 4)
    var list = RecordingSource.folder([:], media: media)
    list.isList = true
    #expect(try ImporterRegistry.recording(from: list).tracks.count == 3)
  }

  @Test func otherPeoplesFilesHaveNoEffect() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder(
        ["compose.yaml": "a: &x 1\nb: *x", "app.json": #"{"participants": [1]}"#],
        media: ["a-b_c.webm"]))
    #expect(recording.participants.map(\.name) == ["a-b_c"])
  }

  @Test func identifiersAreUnique() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder([:], media: ["a/x.webm", "b/x.webm", "none.webm", "c/x.mp4", "x-2.webm"]))
    #expect(Set(recording.participants.map(\.id)).count == recording.participants.count)
    #expect(Set(recording.tracks.map(\.id)).count == 5)
    #expect(!recording.participants.contains { $0.id == "none" })
  }

  @Test func emptyFoldersAreErrors() {
    #expect(
      message { _ = try ImporterRegistry.recording(from: .folder([:])) }
        == "call cannot be read: it is empty; give the folder that holds the recordings, or name the "
        + "files.")
    #expect(
      message { _ = try ImporterRegistry.recording(from: .folder([:], media: ["a.txt"])) }
        == "call cannot be read: none of its files is a recording; give a folder with files that end "
        + "in .webm, .mkv, .mp4, .mov, .ogg, .wav or .m4a, or name the files.")
  }

  @Test("Parts without headers belong to the first one's recording") func partsWithoutHeaders()
    throws
  {
    var source = RecordingSource.folder(
      [:], media: (0..<3).map { "part-00\($0).webm" } + ["ben.webm"])
    source.parts = { path in path == "part-000.webm" ? ["part-001.webm", "part-002.webm"] : [] }
    let recording = try ImporterRegistry.recording(from: source)
    #expect(recording.tracks.map(\.file).sorted() == ["ben.webm", "part-000.webm"])
    #expect(recording.leftOut.isSuperset(of: ["part-001.webm", "part-002.webm"]))
    #expect(
      recording.notes.contains {
        $0.hasPrefix("part-000.webm and part-001.webm to part-002.webm are read as one recording")
      })
  }
}
