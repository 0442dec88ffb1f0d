import TesseraDocuments
import TesseraMessages
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct TrackPlacerTests {
  private static func track(_ id: String, start: String? = "0", follows: String? = nil) -> Track {
    var track = Track(id: id, file: "\(id).webm", start: start.map { .at($0) })
    if let follows { track.follow(follows, after: start.map { .at($0) } ?? .zero) }
    return track
  }

  @Test func partsFollowTheirPredecessors() {
    var second = Self.track("b", start: "1", follows: "a")
    second.stop = .at("3")
    let recording = Recording(participants: [
      Participant(
        id: "p", tracks: [Self.track("c", follows: "b"), second, Self.track("a", start: "2")])
    ])
    for alignment in AlignmentMethod.allCases {
      let placed = recording.placed(
        ["a": TrackPlacementFacts(duration: .at("10"))], alignment: alignment)
      #expect(placed.tracks.map(\.start) == [.at("13"), .at("13"), .at("2")])
      #expect(placed.tracks.map(\.stop) == [nil, .at("15"), nil])
      #expect(placed.tracks.map(\.follows) == [nil, nil, nil])
    }
  }

  @Test("A recording with missing samples becomes several tracks")
  func gaps() {
    var recording = Recording(participants: [
      Participant(id: "p", tracks: [Self.track("a"), Self.track("b", follows: "a")])
    ])
    recording.participants[0].tracks[1].stop = .at("9")
    let gaps = [("2", "0.02"), ("5", "1.5")].map {
      TrackAlignment.SampleGap(time: .at($0), length: .at($1))
    }
    let rate = Ratio(11, 10)
    let placed = recording.placed(
      [
        "a": TrackPlacementFacts(duration: .at("6")), "b": TrackPlacementFacts(duration: .at("10")),
      ],
      moves: [
        "a": TrackAlignment(offset: .at("10"), rate: rate, gaps: gaps),
        "b": TrackAlignment(offset: .at("10"), rate: rate),
      ])
    #expect(placed.tracks.map(\.id) == ["a", "a part 2", "a part 3", "b"])
    #expect(placed.tracks.map(\.inPoint) == [nil, .at("2"), .at("5"), nil])
    #expect(placed.tracks.map(\.outPoint) == [.at("2"), .at("5"), nil, nil])
    // 10 + 2.02 * 1.1 and 10 + 6.52 * 1.1.
    #expect(placed.tracks.prefix(3).map(\.start) == [.at("10"), .at("12.222"), .at("17.172")])
    #expect(placed.tracks.allSatisfy { $0.rate.value == 1.1 })
    #expect(placed.tracks.allSatisfy { $0.follows == nil })
  }

  @Test("An offset of one file moves only that file")
  func fileOffsets() {
    let files = ["mic", "camera", "screen"]
    let recording = Recording(participants: [
      Participant(id: "p", tracks: files.map { Self.track($0, start: nil) })
    ])
    let facts = Dictionary(
      uniqueKeysWithValues: files.map { ($0, TrackPlacementFacts(duration: .at("9"))) })
    for moves in [[:], ["mic": TrackAlignment(offset: .at("4"), rate: .one)]] {
      let placement = TrackPlacer(
        recording, facts, .auto, fileOffsets: ["camera.webm": .at("1.5")], moves: moves)
      let starts = placement.recording.tracks.map(\.start)
      #expect(starts == [moves.isEmpty ? .zero : .at("4"), .at("1.5"), .zero])
      #expect(placement.reasons["camera"] == "by --offset")
    }
  }

  @Test func containerStartsAreAdded() {
    var first = Self.track("a")
    first.anchors = [TimeAnchor(.zero, .session, .zero, within: .zero, source: TimeAnchor.recorder)]
    let recording = Recording(participants: [
      Participant(id: "p", tracks: [first]),
      Participant(id: "q", tracks: [Self.track("b", start: nil)]),
    ])
    let facts = [
      "a": TrackPlacementFacts(duration: .at("10"), containerStart: .at("1.5")),
      "b": TrackPlacementFacts(duration: .at("10"), containerStart: .at("0.5")),
    ]
    #expect(recording.placed(facts).tracks.map(\.start) == [.at("1.5"), .zero])
    let both = Recording(participants: [
      Participant(id: "p", tracks: [Self.track("a", start: nil)]),
      Participant(id: "q", tracks: [Self.track("b", start: nil)]),
    ])
    #expect(
      both.placed(facts, alignment: .container).tracks.map(\.start) == [.at("1"), .zero])
  }

  @Test func offsetsMovePeopleAndNoTimeIsNegative() {
    var recording = Recording(participants: [
      Participant(id: "p", tracks: [Self.track("a"), Self.track("c", follows: "a")]),
      Participant(id: "q", tracks: [Self.track("b")]),
    ])
    recording.events = [CallEvent(.at("1"), .focused("p"))]
    let placed = recording.placed(
      ["a": TrackPlacementFacts(duration: .at("10"))], offsets: ["p": MediaTime(seconds: -2)])
    #expect(placed.tracks.map(\.start) == [.zero, .at("10"), .at("2")])
    #expect(placed.events.map(\.time) == [.at("3")])
  }

  @Test func filesWithAudioAreAligned() {
    var recording = Recording(participants: [Participant(id: "p", tracks: [Self.track("a")])])
    recording.overlays = [Overlay(.image("logo.png"))]
    #expect(
      recording.unusedFiles(among: ["a.webm", "b.webm", "logo.png", "x.txt"]) == ["b.webm"])
  }
}

/// Files as recorders name and tag them, and their expected placement.
@Suite(.timed) struct EvidenceTests {
  /// A file of a call.
  struct File: Sendable {
    var name: String
    var length: Double
    /// The container's time of the first picture or sound.
    var from = 0.0
    var tags: [String: String] = [:]
    var (picture, sound): (Double?, Double?) = (nil, nil)
    var rates: (frames: Double, samples: Int) = (25, 48000)

    init(
      _ name: String, _ length: Double, from: Double = 0, _ tags: [String: String] = [:],
      picture: Double? = nil
    ) {
      (self.name, self.length, self.from, self.tags) = (name, length, from, tags)
      self.picture = picture
    }
  }

  /// A call with the expected participants and start times.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [File]
    var alignment = AlignmentMethod.auto
    var offsets: [String: Double] = [:]
    var places: [String]
    /// Words of the expected notes about placement, one per note; no other notes are expected.
    var notes: [String] = []
    var isWarranted = true
  }

  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  private static let phone = ["make": "Apple", "model": "iPhone"]
  private static func date(_ text: String, _ more: [String: String] = [:]) -> [String: String] {
    more.merging(["creation_time": "2026-03-01T\(text).000000Z"]) { $1 }
  }
  private static let chromium = [
    "major_brand": "isom", "compatible_brands": "isomiso6iso2avc1mp41",
  ]

  private static let cases = [
    Case(
      testDescription: "folders of people with dated files",
      files: [
        File("ada/2025-10-09_08-53-20.mp4", 6), File("ada/2025-10-09_08-53-26.mp4", 5),
        File("ben/2025-10-09_08-53-23.mp4", 9),
      ], places: ["ada 0.000 6.000", "ben 3.000"], notes: ["ben starts 3.000 s after ada"]),
    Case(
      testDescription: "containers that continue one clock",
      files: [
        File("a.webm", 30, from: 1.543, date("10:00:01")),
        File("b.webm", 30, from: 1.6, date("10:00:01")),
        File("c.webm", 30, from: 7.768, date("10:00:07")),
        File("d.webm", 30, from: 7.84, date("10:00:07")),
      ], places: ["a 0.000", "b 0.057", "c 6.225", "d 6.297"],
      notes: ["placed by the container's times"]),
    Case(
      testDescription: "a room with a gap",
      files: [
        File("room1-alice-2026-03-01_10-00-05.120.mp4", 100),
        File("room1-bob-2026-03-01_10-00-10.120.mp4", 20),
        File("room1-bob-2026-03-01_10-01-05.120.mp4", 40),
      ], places: ["alice 0.000", "bob 5.000 60.000"], notes: ["bob starts 5.000 s after alice"]),
    Case(
      testDescription: "time code", files: timeCode, alignment: .clock,
      places: ["a 0.000", "b 3.000", "boom 1.000"]),
    Case(
      testDescription: "time code at midnight",
      files: [
        File("a.mov", 20, ["timecode": "23:59:58:00"]),
        File("b.mov", 20, ["timecode": "00:00:01:12"]),
      ], alignment: .clock, places: ["a 0.000", "b 3.480"]),
    Case(
      testDescription: "time code is not used by default", files: timeCode,
      places: ["a 0.000", "b 0.000", "boom 0.000"], notes: ["but 3.000 s after it by its time code"]
    ),
    Case(
      testDescription: "no clock", files: [File("a.mov", 20), File("b.mov", 20)],
      alignment: .clock, places: ["a 0.000", "b 0.000"], isWarranted: false),
    Case(
      testDescription: "live parts",
      files: [
        File("ada-1.mp4", 4.06, date("10:00:04")), File("ada-2.mp4", 4.06, date("10:00:09")),
        File("ada-3.mp4", 4.06, date("10:00:13")), File("ada-4.mp4", 4.06, date("10:00:17")),
      ], places: ["ada 0.000 4.060 8.120 12.180"]),
    Case(
      testDescription: "parts with continuous containers",
      files: [
        File("take-000.mkv", 10, from: 0), File("take-001.mkv", 10, from: 10),
        File("take-002.mkv", 4, from: 20),
      ], places: ["take 0.000 10.000 20.000"]),
    Case(
      testDescription: "Chromium's dates are ends",
      files: [
        File("ada.mp4", 40, date("10:00:37", chromium)),
        File("ben.mp4", 36.672, date("10:00:36", chromium)),
      ], places: ["ada 0.000", "ben 2.328"], notes: ["ben starts 2.328 s after ada"]),
    Case(
      testDescription: "a phone that is an hour off",
      files: [
        File("ada.mp4", 60, date("10:00:00")), File("ben.mov", 60, date("11:00:05", phone)),
      ], places: ["ada 0.000", "ben 0.000"], notes: ["3605.000 s after it"]),
    Case(
      testDescription: "clock follows phones",
      files: [
        File("ada.mp4", 60, date("10:00:00")), File("ben.mov", 60, date("10:00:05", phone)),
      ], alignment: .clock, places: ["ada 0.000", "ben 5.000"]),
    Case(
      testDescription: "time zones",
      files: [
        File("ada_2026-03-01T10-00-00+0100.webm", 60),
        File("ben_2026-03-01T14-30-04+0530.webm", 60),
      ], places: ["ada 0.000", "ben 4.000"], notes: ["ben starts 4.000 s after ada"]),
    Case(
      testDescription: "midnight",
      files: [
        File("ada 2025-12-31 23.59.58.webm", 60), File("ben 2026-01-01 00.00.01.webm", 60),
      ], places: ["ada 0.000", "ben 3.000"], notes: ["ben starts 3.000 s after ada"]),
    Case(
      testDescription: "a daylight saving time change",
      files: [
        File("ada_2026-03-29_01-59-50.mp4", 600, utc("2026-03-29T00:59:50")),
        File("ben_2026-03-29_03-00-05.mp4", 600, utc("2026-03-29T01:00:05")),
      ], places: ["ada 0.000", "ben 15.000"],
      notes: ["whole hours", "ben starts 15.000 s after ada"]),
    Case(
      testDescription: "one file without a time",
      files: [
        File("ada_2026-03-01_10-00-00.mp4", 60), File("ben_2026-03-01_10-00-05.mp4", 60),
        File("cyd.mp4", 60),
      ], places: ["ada 0.000", "ben 5.000", "cyd 0.000"],
      notes: ["ben starts 5.000 s after ada", "cyd shares no clock"]),
    Case(
      testDescription: "equal times, and a camera that comes later",
      files: [
        File("1760000000412-ada-camera.webm", 60, from: 1.3),
        File("1760000000412-ada-mic.webm", 61.3), File("1760000000412-ben-camera.webm", 60),
      ], places: ["ada 1.300 0.000", "ben 0.000"], notes: ["1.300 s after"]),
    Case(
      testDescription: "names that agree and metadata that does not",
      files: [
        File("ada_2026-03-01_10-00-00.mp4", 60, date("10:01:00")),
        File("ben_2026-03-01_10-00-05.mp4", 60, date("10:01:40")),
      ], places: ["ada 0.000", "ben 5.000"],
      notes: ["but 40.000 s after it by its creation date", "ben starts 5.000 s after ada"]),
    Case(
      testDescription: "names of different programs",
      files: [
        File("ada_2026-03-01_10-00-00.mp4", 60, ["encoder": "A"]),
        File("ben_2026-03-01_10-00-05.mp4", 60, ["encoder": "B"]),
      ], places: ["ada 0.000", "ben 0.000"], notes: ["may be different clocks"]),
    Case(
      testDescription: "offsets have priority",
      files: [
        File("ada_2026-03-01_10-00-00.mp4", 60), File("ben_2026-03-01_10-00-05.mp4", 60),
        File("cyd_2026-03-01_10-00-07.mp4", 60),
      ], offsets: ["ada": 1.25], places: ["ada 1.250", "ben 0.000", "cyd 2.000"],
      notes: ["cyd starts 2.000 s after ben"]),
    Case(
      testDescription: "all end together", files: [File("ada.mp4", 60), File("ben.mp4", 55.5)],
      alignment: .end, places: ["ada 0.000", "ben 4.500"]),
    Case(
      testDescription: "containers alone",
      files: [File("ada.webm", 60, from: 0.1), File("ben.webm", 60, from: 5.1)],
      places: ["ada 0.000", "ben 0.000"], notes: ["--align container"]),
    Case(
      testDescription: "Janus: first packets",
      files: [
        File(
          "videoroom-1-user-ada-1795812118044315-video-1.webm", 60, from: 3,
          ["comment": #"{"t": "v", "c": "vp8", "s": 1795812118044315, "u": 1795812119444726}"#]),
        File(
          "videoroom-1-user-ada-1795812118044315-audio-0.opus", 63,
          ["comment": #"{"t": "a", "c": "opus", "s": 1795812118044315, "u": 1795812119444726}"#]),
      ], places: ["ada 0.000 3.000"]),
    Case(
      testDescription: "sessions of exports",
      files: [
        File("ada.mp4", 60, date("10:00:00", ["encoder": "HandBrake 1.8"])),
        File("ben.mp4", 60, date("10:00:30", ["encoder": "HandBrake 1.8"])),
      ], places: ["ada 0.000", "ben 0.000"], notes: ["may be different clocks"]),
  ]

  /// File names of recorders without an importer, from their documentation.
  private static let recorders: [(name: String, files: [String], places: [String])] = [
    (
      "MediaMTX", ["ada/2025-10-09_08-53-20-412345.mp4", "ben/2025-10-09_08-53-23-912345.mp4"],
      ["ada 0.000", "ben 3.500"]
    ),
    ("nginx-rtmp", ["ada-1760000000.flv", "ben-1760000007.flv"], ["ada 0.000", "ben 7.000"]),
    (
      "SRS", ["live/ada.1760000000412.flv", "live/ben.1760000003912.flv"],
      ["ada 0.000", "ben 3.500"]
    ),
    (
      "Ant Media",
      [
        "ada-2025-10-09_08-53-20.412_480p800kbps.mp4",
        "ben-2025-10-09_08-53-25.100_480p800kbps.mp4",
      ], ["ada 0.000", "ben 4.688"]
    ),
    (
      "Wowza",
      [
        "ada_2025-10-09-08.53.20.412+00.00_0.mp4", "ben_2025-10-09-08.53.21.000+00.00_0.mp4",
      ], ["ada 0.000", "ben 0.588"]
    ),
    (
      "vMix", ["Ada - 09 October 2025 - 08-53-20.mp4", "Ben - 09 October 2025 - 08-53-25.mp4"],
      ["Ada 0.000", "Ben 5.000"]
    ),
    (
      "ShadowPlay", ["Ada 2025.10.09 - 08.53.20.03.mp4", "Ben 2025.10.09 - 08.53.22.53.mp4"],
      ["Ada 0.000", "Ben 2.500"]
    ),
    (
      "Windows' camera",
      ["Ada/WIN_20251009_08_53_20_Pro.mp4", "Ben/WIN_20251009_08_53_22_Pro.mp4"],
      ["Ada 0.000", "Ben 2.000"]
    ),
    (
      "ReplayKit",
      ["Ada/RPReplay_Final1760000000.mp4", "Ben/RPReplay_Final1760000005.mp4"],
      ["Ada 0.000", "Ben 5.000"]
    ),
    (
      "LiveKit's templates",
      ["standup-ada-2025-10-09T085320.mp4", "standup-ben-2025-10-09T085325.mp4"],
      ["ada 0.000", "ben 5.000"]
    ),
    (
      "Xbox Game Bar", ["Ada 10_9_2025 8_53_20 AM.mp4", "Ben 10_9_2025 8_53_25 AM.mp4"],
      ["Ada 0.000", "Ben 5.000"]
    ),
    ("Zoom H6", ["ZOOM0001_Tr1.WAV", "ZOOM0001_Tr2.WAV"], ["Tr1 0.000", "Tr2 0.000"]),
    (
      "SquadCast",
      ["Ada Lovelace - Primary - take 1.wav", "Ben - Primary - take 1.wav"],
      ["Ada Lovelace 0.000", "Ben 0.000"]
    ),
    (
      "Audio Hijack", ["20251009 0853 Ada.mp3", "20251009 0854 Ben.mp3"],
      ["Ada 0.000", "Ben 0.000"]
    ),
    (
      "mediasoup's worker",
      [
        "0f14e45f-ceea-467f-a1d2-0123456789ab/audio-1760000000412.webm",
        "0f14e45f-ceea-467f-a1d2-0123456789ab/video-1760000000912.webm",
        "1f14e45f-ceea-467f-a1d2-0123456789ab/audio-1760000004412.webm",
      ],
      [
        "0f14e45f-ceea-467f-a1d2-0123456789ab 0.000 0.500",
        "1f14e45f-ceea-467f-a1d2-0123456789ab 4.000",
      ]
    ),
    (
      "OBS, one machine each", ["ada/2025-10-09 08-53-20.mkv", "ben/2025-10-09 08-53-21.mkv"],
      ["ada 0.000", "ben 1.000"]
    ),
    (
      "Zencastr", ["ada_night-talk_oct-09-2025.wav", "ben_night-talk_oct-09-2025.wav"],
      ["ada 0.000", "ben 0.000"]
    ),
    (
      "Red5", ["ada_1760000000412_0.flv", "ben_1760000001412_0.flv"], ["ada 0.000", "ben 1.000"]
    ),
    (
      "Dolby.io", ["accountA1/ada_20251009T085320Z.mp4", "accountA1/ben_20251009T085330Z.mp4"],
      ["ada 0.000", "ben 10.000"]
    ),
    (
      "Ecamm",
      ["Ada (Isolated) 2025-10-09 08.53.20.mov", "Ben (Isolated) 2025-10-09 08.53.20.mov"],
      ["Ada 0.000", "Ben 0.000"]
    ),
  ]

  @Test(arguments: recorders.map(\.name)) func recordersFileNamesAreRead(recorder: String) throws {
    let test = try #require(Self.recorders.first { $0.name == recorder })
    let files = Case(testDescription: "", files: test.files.map { File($0, 600) }, places: [])
    #expect(try Self.places(Self.placement(files)) == test.places)
  }

  private static let timeCode = [
    File("a.mov", 20, ["timecode": "10:00:00:00"]), File("b.mov", 20, ["timecode": "10:00:03:00"]),
    File("boom.wav", 20, ["time_reference": "\(36001 * 48000)"]),
  ]

  private static func utc(_ text: String) -> [String: String] {
    ["creation_time": "\(text).000000Z"]
  }

  /// Returns the placement of a case's files, from their names and tags.
  static func placement(_ test: Case) throws -> (TrackPlacer, [Track.ID: TrackPlacementFacts]) {
    let known = Dictionary(uniqueKeysWithValues: test.files.map { ($0.name, $0) })
    var source = RecordingSource.folder([:], media: test.files.map(\.name))
    let spans: @Sendable ([String]) -> [RecordingSource.ContainerInfo?] = { paths in
      paths.map { path in
        known[path].map {
          RecordingSource.ContainerInfo(
            duration: Self.time($0.length), start: Self.time($0.from), tags: $0.tags)
        }
      }
    }
    (source.spans, source.headers) = (spans, spans)
    let recording = try ImporterRegistry.recording(from: source)
    var facts: [Track.ID: TrackPlacementFacts] = [:]
    for track in recording.tracks {
      let file = try #require(known[track.file])
      facts[track.id] = TrackPlacementFacts(
        duration: Self.time(file.length), containerStart: Self.time(file.from),
        writer: ContainerTags(
          file.tags, frameRate: file.rates.frames, sampleRate: file.rates.samples),
        picture: file.picture.map(Self.time))
    }
    let placement = TrackPlacer(
      recording, facts, test.alignment, offsets: test.offsets.mapValues(Self.time))
    return (placement, facts)
  }

  static func places(_ found: (placement: TrackPlacer, [Track.ID: TrackPlacementFacts])) -> [String]
  {
    found.placement.recording.participants.map { person in
      ([person.name] + person.tracks.map { "\(rounded($0.start))" }).joined(separator: " ")
    }
  }

  @Test(arguments: cases) func filesArePlaced(test: Case) throws {
    let (placement, facts) = try Self.placement(test)
    #expect(Self.places((placement, facts)) == test.places)
    #expect(placement.isWarranted == test.isWarranted)
    #expect(placement.notes.count == test.notes.count, "\(placement.notes)")
    for words in test.notes {
      #expect(placement.notes.contains { $0.commandLine.contains(words) }, "\(placement.notes)")
    }
    #expect(
      placement.recording.tracks.allSatisfy { placement.reasons[$0.id].map { $0 != "" } == true })
    // The session file keeps all evidence and the placement.
    let document = SessionFile.document(placement.recording)
    let session = try SessionFile.recording(from: document, file: "session.yaml")
    #expect(session == placement.recording)
    #expect(session.placed(facts).tracks.map(\.start) == placement.recording.tracks.map(\.start))
  }

  private static func rounded(_ time: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: (time.nanoseconds + 500_000) / 1_000_000 * 1_000_000)
  }
}
