import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

/// The owners of files whose names differ only in numbers or times.
@Suite(.timed) struct NumberedFileClassifierTests {
  /// A file: its name, and its duration and container start in seconds.
  private struct File: Sendable {
    var (name, length, start): (String, Double?, Double?)

    init(_ name: String, _ length: Double? = nil, at start: Double? = nil) {
      (self.name, self.length, self.start) = (name, length, start)
    }
  }

  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64(seconds * 1e9))
  }

  private static func recording(_ files: [File], isList: Bool = false) throws -> Recording {
    var source = RecordingSource.folder([:], media: files.map(\.name))
    source.isList = isList
    let known = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })
    source.spans = { paths in
      paths.map { path in
        guard let file = known[path], let length = file.length else { return nil }
        return RecordingSource.ContainerInfo(duration: time(length), clock: file.start.map(time))
      }
    }
    return try ImporterRegistry.recording(from: source)
  }

  private static func numbered(
    _ name: String, _ count: Int, _ length: Double? = nil, width: Int = 0
  ) -> [File] {
    (1...count).map { number in
      let digits = String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
      return File(name.replacing("#", with: digits), length)
    }
  }

  /// Returns the names of all participants, with the number of files if there are several.
  private static func people(_ recording: Recording) -> [String] {
    recording.participants.map { person in
      person.tracks.count == 1 ? person.name : "\(person.name) ×\(person.tracks.count)"
    }
  }

  private static let cases: [(String, [File], [String], String?)] = [
    // Roles, in several languages.
    ("roles", numbered("student #.ogg", 3, 26), ["student 1", "student 2", "student 3"], "a role"),
    ("German", numbered("Teilnehmer #.mp4", 2), ["Teilnehmer 1", "Teilnehmer 2"], "a role"),
    ("French", numbered("Invité_#.mp4", 2), ["Invité_1", "Invité_2"], "a role"),
    (
      "decomposed", numbered("Invite\u{301} #.mp4", 2), ["Invite\u{301} 1", "Invite\u{301} 2"],
      "a role"
    ),
    ("Japanese", numbered("参加者 #.mp4", 2), ["参加者 1", "参加者 2"], "a role"),
    ("after a name", numbered("Lab guest #.mp4", 2), ["Lab guest 1", "Lab guest 2"], "a role"),
    (
      "many pupils", numbered("pupil #.ogg", 25, width: 2),
      (1...25).map { $0 < 10 ? "pupil 0\($0)" : "pupil \($0)" }, "a role"
    ),
    (
      "with a screen",
      [File("student 1.mp4"), File("student 1 screen.mp4"), File("student 2.mp4")],
      ["student 1 ×2", "student 2"], "a role"
    ),
    // Clocks.
    (
      "one after the other",
      [
        File("guest 1.mp4", 60, at: 100), File("guest 2.mp4", 60, at: 160.5),
        File("guest 3.mp4", 9, at: 220),
      ],
      ["guest ×3"], "each starts where another one ends"
    ),
    (
      "with pauses", [File("webinar 1.mp4", 60, at: 100), File("webinar 2.mp4", 90, at: 500)],
      ["webinar ×2"], "they follow each other"
    ),
    (
      "together", [File("ada 1.mp4", 60, at: 100), File("ada 2.mp4", 50, at: 105)],
      ["ada 1", "ada 2"], "their clocks overlap"
    ),
    (
      "late", [File("room 1.mp4", 600, at: 0), File("room 2.mp4", 500, at: 550)],
      ["room 1", "room 2"], "their clocks overlap"
    ),
    // Durations.
    (
      "equal", numbered("mentor #.mp4", 3, 300), ["mentor 1", "mentor 2", "mentor 3"],
      "the same length"
    ),
    (
      "split", numbered("webinar #.mp4", 3, 600) + [File("webinar 4.mp4", 123)], ["webinar ×4"],
      "a shorter last one"
    ),
    (
      "split recording", numbered("recording_#.mp4", 3, 600) + [File("recording_4.mp4", 123)],
      ["recording ×4"], "a shorter last one"
    ),
    ("two", [File("ada 1.mp4", 600), File("ada 2.mp4", 600)], ["ada ×2"], "nothing shows"),
    // Counts.
    ("many", numbered("talk #.mp4", 13), ["talk ×13"], "more than 12"),
    (
      "not so many", numbered("recording #.mp4", 12), (1...12).map { "recording \($0)" }.sorted(),
      "nothing shows"
    ),
    ("many recordings", numbered("recording #.mp4", 13), ["recording ×13"], "more than 12"),
    // Pieces.
    ("pieces", numbered("stream_#.ts", 4, 6, width: 5), ["stream ×4"], "pieces of a stream"),
    ("pieces without a blank", numbered("seg#.ts", 3, width: 3), ["seg ×3"], nil),
    // Kinds only.
    ("cameras", numbered("camera-#.webm", 2), ["camera-1", "camera-2"], "nothing shows"),
    (
      "camera of a number", [File("camera-1.webm"), File("mic-1.wav"), File("camera-2.webm")],
      ["camera-1 ×2", "camera-2"], "nothing shows"
    ),
    // Takes.
    (
      "takes", [File("webcam1712345678901.mp4", 60), File("webcam1712345978901.mp4", 60)],
      ["webcam ×2"], "they follow each other"
    ),
    (
      "takes of two kinds",
      [
        File("screen1712345678901.mp4"), File("webcam1712345678901.mp4"),
        File("webcam1712345978901.mp4"),
      ], ["screen ×3"], "named by their start times"
    ),
    (
      "recordings together",
      [File("recording-1712345678901.webm", 60), File("recording-1712345680901.webm", 60)],
      ["recording-1712345678901", "recording-1712345680901"], "their clocks overlap"
    ),
    (
      "recordings one after the other",
      [File("recording-1712345678901.webm", 60), File("recording-1712345778901.webm", 60)],
      ["recording ×2"], "they follow each other"
    ),
    // In a mixed folder.
    (
      "mixed", [File("ada.webm")] + numbered("webinar #.mp4", 2), ["ada", "webinar ×2"],
      "nothing shows"
    ),
    // Cameras.
    ("a camera's", [File("Ben IMG_2041.mov"), File("Ben IMG_2042.mov")], ["Ben ×2"], nil),
    (
      "phones", [File("IMG_2041.mov"), File("IMG_3055.mov")], ["IMG_2041", "IMG_3055"],
      "nothing shows"
    ),
    (
      "one phone's", [File("IMG_2041.mov", 60, at: 0), File("IMG_2042.mov", 60, at: 60)],
      ["IMG_2041 ×2"], "each starts"
    ),
    (
      "chapters", [File("GX010123.mp4"), File("GX020123.mp4"), File("ada.mp4")],
      ["GX010123 ×2", "ada"], nil
    ),
  ]

  @Test(arguments: cases.map(\.0)) func ownersAreFound(name: String) throws {
    let (_, files, people, reason) = try #require(Self.cases.first { $0.0 == name })
    let recording = try Self.recording(files.sorted { $0.name < $1.name })
    #expect(Self.people(recording) == people)
    #expect(recording.notes.count == (reason == nil && recording.notes.isEmpty ? 0 : 1))
    if let reason { #expect(recording.notes.first?.contains(reason) == true) }
  }

  @Test func partsAreInOrder() throws {
    let files = [1, 2, 10, 11].map { File("webinar \($0).mp4", $0 == 11 ? 12 : 60) }
    let tracks = try Self.recording(files.sorted { $0.name < $1.name }).tracks
    #expect(
      tracks.map(\.file)
        == ["webinar 1.mp4", "webinar 2.mp4", "webinar 10.mp4", "webinar 11.mp4"])
    #expect(tracks.map(\.follows) == [nil, "webinar 1", "webinar 2", "webinar 10"])
  }

  @Test func aNoteListsTheFiles() throws {
    let few = try Self.recording(Self.numbered("student #.ogg", 3)).notes
    let many = try Self.recording(Self.numbered("student #.ogg", 4)).notes
    #expect(few[0].hasPrefix("student 1.ogg, student 2.ogg and student 3.ogg are treated as"))
    #expect(many[0].hasPrefix("student 1.ogg and 3 more like it are treated as"))
  }

  @Test func aListOfFilesIsTreatedLikeAFolder() throws {
    let files = Self.numbered("student #.ogg", 3)
    #expect(try Self.people(Self.recording(files, isList: true)).count == 3)
  }

  /// A camera's numbers, dates and times are no part of a name.
  @Test(arguments: [
    ("Ben IMG_2041.mov", "Ben"), ("Ben_DSC_0012.MOV", "Ben"), ("Ben-DSC00012.mp4", "Ben"),
    ("Ben GX010123.MP4", "Ben"), ("Ben MVI_0042.MOV", "Ben"),
    ("Ben VID_20240501_081012.mp4", "Ben"), ("ben/DSC_0012.MOV", "ben"),
    ("ben/PXL_20240501_081012345.mp4", "ben"),
    ("cara_2026-11-20.mp4", "cara"), ("2026-11-20 cara.mp4", "cara"), ("cara-20261120.mp4", "cara"),
    ("ben/Screen Recording 2024-05-01 at 08.10.12.mov", "ben"),
    ("Ben Screen Recording 2024-05-01 at 08.10.12.mov", "Ben"),
    ("Recording 2024-05-01 081012.mp4", "Recording 2024-05-01 081012"),
    ("IMG_2041.mov", "IMG_2041"), ("VID_20240501_081012.mp4", "VID_20240501_081012"),
    ("take-2.webm", "take-2"), ("ada 1280.webm", "ada 1280"), ("Dscheng.webm", "Dscheng"),
    ("Ben IMG_99999999999999999999.mov", "Ben IMG_99999999999999999999"),
  ])
  func numberingIsNoName(file: String, person: String) throws {
    #expect(try Self.people(Self.recording([File(file), File("zoe.webm")])).contains(person))
  }

  @Test(
    arguments: [
      ("Screen Recording 2024-05-01 at 08.10.12.mov", TrackKind.screen, "2024-05-01T08:10:12.000Z"),
      ("Screen Recording 2024-05-01 at 8.10.12\u{202f}PM.mov", .screen, "2024-05-01T20:10:12.000Z"),
      ("Bildschirmaufnahme 2024-05-01 um 08.10.12.mov", .screen, "2024-05-01T08:10:12.000Z"),
      ("Recording 2024-05-01 081012.mp4", .media, "2024-05-01T08:10:12.000Z"),
      ("WhatsApp Video 2024-05-01 at 08.10.12.mp4", .camera, "2024-05-01T08:10:12.000Z"),
      ("Screen_Recording_20240501_081012.mp4", .screen, "2024-05-01T08:10:12.000Z"),
      ("2024-05-01 08-10-12.mkv", .media, "2024-05-01T08:10:12.000Z"),
      ("cara_2026-11-20.mp4", .media, nil),
    ] as [(String, TrackKind, String?)])
  func systemsNamesAreRead(file: String, kind: TrackKind, clock: String?) throws {
    let track = try #require(Self.recording([File(file)]).tracks.first)
    #expect(track.kind == kind)
    #expect(track.anchors.map { WallClockFormat.text($0.time) } == [clock].compactMap { $0 })
  }
}
