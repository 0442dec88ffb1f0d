import TesseraMessages
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

/// Folders with several takes, as recorders without an importer write them.
extension EvidenceTests {
  private static func dated(_ name: String, _ length: Double, _ date: String) -> File {
    File(name, length, ["creation_time": "2024-03-15T\(date).000000Z"])
  }

  /// Returns a field recorder's file with a time reference in seconds.
  private static func field(_ name: String, _ length: Double, at seconds: Int) -> File {
    File(name, length, ["time_reference": "\(seconds * 48000)", "encoder": "ZOOM"])
  }

  private static func xavc(_ name: String, _ length: Double, _ date: String) -> File {
    var file = dated(name, length, date)
    file.tags["major_brand"] = "XAVC"
    return file
  }

  private static let android = ["com.android.version": "14"]

  private static let takes = [
    Case(
      testDescription: "takes in whole seconds (LiveKit's templates)",
      files: [
        File("standup-alice-2026-03-01T193012.mp4", 9),
        File("standup-alice-2026-03-01T193030.mp4", 6),
        File("standup-bob-2026-03-01T193015.mp4", 8),
      ], places: ["alice 0.000 18.000", "bob 3.000"]),
    Case(
      testDescription: "tracks in containers of their kinds (LiveKit's tracks)",
      files: [
        File("alice-2026-03-01T193012-TR_AMq3ZbVtY8kLwp.ogg", 9, ["encoder": "a"]),
        File("alice-2026-03-01T193013-TR_VCx7Rn2dPq5MhA.webm", 7.9, ["encoder": "b"]),
        File("alice-2026-03-01T193030-TR_AMb8TcWuX1jKzq.ogg", 6, ["encoder": "a"]),
        File("bob-2026-03-01T193015-TR_AMm4GfHsD2nBve.ogg", 8, ["encoder": "a"]),
      ], places: ["alice 0.000 1.000 18.000", "bob 3.000"]),
    Case(
      testDescription: "seconds since 1970 (nginx-rtmp, record_unique)",
      files: [
        File("alice-1772393412.flv", 9), File("alice-1772393425.flv", 6),
        File("bob-1772393415.flv", 8),
      ], places: ["alice 0.000 13.000", "bob 3.000"]),
    Case(
      testDescription: "years of two digits (nginx-rtmp, record_suffix)",
      files: [
        File("alice-01-Mar-26-19:30:12.flv", 9), File("alice-01-Mar-26-19:30:25.flv", 6),
        File("bob-01-Mar-26-19:30:15.flv", 8),
      ], places: ["alice 0.000 13.000", "bob 3.000"]),
    Case(
      testDescription: "a time in folders of its date (SRS)",
      files: [
        File("live/alice/2026/03/01/19.30.12.345.flv", 8),
        File("live/alice/2026/03/01/19.30.24.845.flv", 6),
        File("live/bob/2026/03/01/19.30.15.345.flv", 7),
      ], places: ["alice 0.000 12.500", "bob 3.000"]),
    Case(
      testDescription: "a day in folders of its month (SRS)",
      files: [
        File("live/2026/03/alice-01-19.30.12.345.flv", 8),
        File("live/2026/03/alice-01-19.30.24.845.flv", 6),
        File("live/2026/03/bob-01-19.30.15.345.flv", 7),
      ], places: ["alice 0.000 12.500", "bob 3.000"]),
    Case(
      testDescription: "sizes of one stream (Ant Media)",
      files: [
        File("streams/alice-2026-03-01_19-30-12.123_240p300kbps.mp4", 9),
        File("streams/alice-2026-03-01_19-30-12.123_480p500kbps.mp4", 9),
        File("streams/bob-2026-03-01_19-30-14.623_240p300kbps.mp4", 8),
        File("streams/bob-2026-03-01_19-30-14.623_480p500kbps.mp4", 8),
      ], places: ["alice 0.000", "bob 2.500"]),
    Case(
      testDescription: "minutes (Ant Media)",
      files: [
        File("streams/alice-2026-03-01_19-30.mp4", 9),
        File("streams/alice-2026-03-01_19-35.mp4", 6),
        File("streams/bob-2026-03-01_19-31.mp4", 8),
        File("streams/cyd-2026-03-01_19-50.mp4", 8),
      ], places: ["alice 0.000 300.000", "bob 0.000", "cyd 1200.000"]),
    Case(
      testDescription: "starts and ends (Flashphoner)",
      files: [
        File("alice-1772393412345-1772393420345.mp4", 8),
        File("alice-1772393424845-1772393430845.mp4", 6),
        File("bob-1772393415345-1772393422345.mp4", 7),
      ], places: ["alice 0.000 12.500", "bob 3.000"]),
    Case(
      testDescription: "segments that carry the recording's start (Wowza)",
      files: [
        File("alice_2026-03-01-19.30.12.345-UTC_0.mp4", 8),
        File("alice_2026-03-01-19.30.12.345-UTC_1.mp4", 6),
        File("bob_2026-03-01-19.30.14.345-UTC_0.mp4", 9),
      ], places: ["alice 0.000 8.000", "bob 2.000"]),
    Case(
      testDescription: "lengths and identifiers after the start (BytePlus)",
      files: [
        File("task1_room1_alice_C_1772393412345_000008_45678903.mp4", 8),
        File("task1_room1_alice_C_1772393424345_000006_66120985.mp4", 6),
        File("task1_room1_alice_S_1772393418345_000005_90211734.mp4", 5),
        File("task1_room1_bob_C_1772393415345_000009_11873420.mp4", 9),
      ], places: ["alice_C 0.000 12.000", "alice_S 6.000", "bob_C 3.000"],
      notes: ["alice_C and alice_S are treated as different participants"]),
    Case(
      testDescription: "a person who returns (Mumble)",
      files: [
        File("Mumble-2026-03-01-19-30-12-voice.example.org-alice.flac", 9.5),
        File("Mumble-2026-03-01-19-30-12-voice.example.org-bob (1).flac", 10),
        File("Mumble-2026-03-01-19-30-12-voice.example.org-bob.flac", 6),
      ], places: ["alice 0.000", "bob 0.000 0.000"]),
    Case(
      testDescription: "a copy in another container (OBS)",
      files: [
        File("Alice/2024-03-15 15-00-00.mkv", 8), File("Alice/2024-03-15 15-00-08.mkv", 6),
        File("Alice/2024-03-15 15-00-30.mkv", 6), File("Bob/2024-03-15 15-00-03.mkv", 9),
        File("Bob/2024-03-15 15-00-03.mp4", 9.02), File("Bob/2024-03-15 15-00-03.remuxed.mp4", 9),
      ], places: ["Alice 0.000 8.000 30.000", "Bob 3.000"]),
    Case(
      testDescription: "takes of a desk (Nuendo Live)",
      files: [
        field("01 - Alice_01.wav", 8, at: 0), field("01 - Alice_02.wav", 6, at: 20),
        field("01 - Alice_03.wav", 5, at: 40), field("02 - Bob_01.wav", 8, at: 0),
        field("02 - Bob_03.wav", 5, at: 40),
      ], places: ["01 Alice 0.000 20.000 40.000", "02 Bob 0.000 40.000"]),
    Case(
      testDescription: "takes and tracks (Zoom F8)",
      files: [
        field("Scene001-T001/Scene001-T001_Tr1.wav", 8, at: 54000),
        field("Scene001-T001/Scene001-T001_Tr2.wav", 8, at: 54000),
        field("Scene001-T002/Scene001-T002_Tr1.wav", 6, at: 54030),
        field("Scene001-T002/Scene001-T002_Tr2.wav", 6, at: 54030),
      ], places: ["Tr1 0.000 30.000", "Tr2 0.000 30.000"]),
    Case(
      testDescription: "takes and tracks (Zoom H6)",
      files: [
        field("ZOOM0001/ZOOM0001_Tr1.WAV", 8, at: 54000),
        field("ZOOM0001/ZOOM0001_Tr2.WAV", 8, at: 54000),
        field("ZOOM0002/ZOOM0002_Tr1.WAV", 6, at: 54020),
        field("ZOOM0002/ZOOM0002_Tr2.WAV", 6, at: 54020),
      ], places: ["Tr1 0.000 20.000", "Tr2 0.000 20.000"]),
    Case(
      testDescription: "takes, tracks and a mix (Tascam)",
      files: [
        field("TASCAM_0001_1.wav", 8, at: 54000), field("TASCAM_0001_2.wav", 8, at: 54000),
        field("TASCAM_0001_MIX.wav", 8, at: 54000), field("TASCAM_0002_1.wav", 6, at: 54025),
        field("TASCAM_0002_2.wav", 6, at: 54025),
      ], places: ["Track 1 0.000 25.000", "Track 2 0.000 25.000"]),
    Case(
      testDescription: "takes with a date, and tracks (Tascam)",
      files: [
        File("T001_20150901-112313_001_01.wav", 8), File("T001_20150901-112313_001_02.wav", 8),
        File("T002_20150901-112343_001_01.wav", 6), File("T002_20150901-112343_001_02.wav", 6),
      ], places: ["Track 01 0.000 30.000", "Track 02 0.000 30.000"]),
    Case(
      testDescription: "a reporter's takes (FlashMic)",
      files: [
        field("ALICE_PANEL_TRK001.wav", 8, at: 54000),
        field("ALICE_PANEL_TRK002.wav", 6, at: 54020),
        field("BOB_PANEL_TRK007.wav", 9, at: 54000),
      ], places: ["ALICE_PANEL 0.000 20.000", "BOB_PANEL 0.000"]),
    Case(
      testDescription: "a cinema camera's clips (Canon)",
      files: [
        File("A_0001C001X240315_150000AB_CANON.MP4", 8),
        File("A_0001C002X240315_150030EF_CANON.MP4", 6),
        File("B_0001C001X240315_150003CD_CANON.MP4", 9),
      ], places: ["A 0.000 30.000", "B 3.000"]),
    Case(
      testDescription: "chapters that carry the recording's date (GoPro)",
      files: [
        dated("Alice/GX010048.MP4", 8, "15:00:00"), dated("Alice/GX010049.MP4", 5, "15:00:40"),
        dated("Alice/GX020048.MP4", 6, "15:00:00"), dated("Bob/GX010112.MP4", 7, "15:00:03"),
        dated("Bob/GX020112.MP4", 5, "15:00:03"),
      ], places: ["Alice 0.000 8.000 40.000", "Bob 3.000 10.000"]),
    Case(
      testDescription: "identifiers before a date name the owner (BigBlueButton)",
      files: [
        File("medium-w_iidfyt4ol2gl-1524593447033.mp4", 6),
        File("medium-w_q7xk2mzd41rt-1524593450533.mp4", 8),
        File("medium-w_iidfyt4ol2gl-1524593460033.mp4", 5),
      ], places: ["iidfyt4ol2gl 0.000 13.000", "q7xk2mzd41rt 3.500"],
      notes: ["letters or identifiers"]),
    Case(
      testDescription: "identifiers before a date, and a screen in another folder (BigBlueButton)",
      files: [
        File("recordings/183f/medium-w_iidfyt4ol2gl-1524593447033.mp4", 6),
        File("recordings/183f/medium-w_q7xk2mzd41rt-1524593450533.mp4", 8),
        File("screenshare/183f/65977-1524593452033.webm", 5),
      ],
      places: ["medium-w-iidfyt4ol2gl 0.000", "medium-w-q7xk2mzd41rt 3.500", "65977 5.000"]),
    Case(
      testDescription: "identifiers before two dates (Canon's NVR)",
      files: [
        File("NVR_MPEG4_0000AB12CD34EF01_20261001_100000_20261001_100010.mov", 10),
        File("NVR_MPEG4_0000AB12CD34EF02_20261001_100020_20261001_100029.mov", 9),
      ], places: ["0000AB12CD34EF01 0.000", "0000AB12CD34EF02 20.000"]),
    Case(
      testDescription: "hours of one and two digits, AM and PM (UniFi Protect)",
      files: [
        File("Driveway - 2-9-2020, 11.59.56am.mp4", 9),
        File("Front Door - 2-9-2020, 9.59.52am.mp4", 8),
        File("Front Door - 2-9-2020, 12.00.10pm.mp4", 7),
      ], places: ["Driveway 7204.000", "Front Door 0.000 7218.000"]),
    Case(
      testDescription: "scenes and takes in one word (Sound Devices)",
      files: [
        field("S001T01_1.WAV", 8, at: 50400), field("S001T01_2.WAV", 8, at: 50400),
        field("S001T02_1.WAV", 6.4, at: 50420), field("S001T02_2.WAV", 6.4, at: 50420),
      ], places: ["Track 1 0.000 20.000", "Track 2 0.000 20.000"]),
    Case(
      testDescription: "tracks that overlap by their time references",
      files: [field("desk_1.wav", 8, at: 54000), field("desk_2.wav", 8, at: 54000)],
      places: ["desk_1 0.000", "desk_2 0.000"]),
    Case(
      testDescription: "a month before a day, and a year of two digits",
      files: [
        File("001-032318-133305.WAV", 5), File("001-032318-133340.WAV", 10),
        File("002-032318-133305.WAV", 5), File("002-032318-133340.WAV", 10),
      ], places: ["001 0.000 35.000", "002 0.000 35.000"]),
    Case(
      testDescription: "a first part without a number, in folders (Pupil)",
      files: [
        File("Alice/world.mp4", 8), File("Alice/world_001.mp4", 6), File("Bob/world.mp4", 7),
        File("Bob/world_001.mp4", 5),
      ], places: ["Alice 0.000 8.000", "Bob 0.000 7.000"]),
    Case(
      testDescription: "reels and clips (Blackmagic, Panasonic)",
      files: [
        dated("A001_08151512_C001.mov", 8, "15:12:10"),
        dated("A001_08151513_C002.mov", 6, "15:13:20"),
        dated("B001_08151512_C001.mov", 9, "15:12:13"),
      ], places: ["A 0.000 70.000", "B 3.000"]),
    Case(
      testDescription: "reels and clips in one word, in folders (Panasonic)",
      files: [
        dated("CamA/DCIM/A001C001_240610_4F2B.MOV", 8, "14:00:00"),
        dated("CamA/DCIM/A001C002_240610_4F2B.MOV", 6, "14:00:20"),
        dated("CamB/DCIM/B001C001_240610_9C1D.MOV", 9, "14:00:03"),
      ], places: ["A 0.000 20.000", "B 3.000"]),
    Case(
      testDescription: "clips of transmitters (DJI Mic)",
      files: [
        File("TX_MIC001_20260118_140000/TX01_MIC001_20260118_140000_orig.wav", 10),
        File("TX_MIC001_20260118_140000/TX01_MIC002_20260118_140010_orig.wav", 6),
        File("TX_MIC001_20260118_140002/TX02_MIC001_20260118_140002_orig.wav", 10),
        File("TX_MIC001_20260118_140002/TX02_MIC002_20260118_140012_orig.wav", 5),
      ], places: ["TX01 0.000 10.000", "TX02 0.000 10.000"]),
    Case(
      testDescription: "cards of two cameras (DJI)",
      files: [
        File("CAM_A/DCIM/DJI_001/DJI_20260118140012_0001_D.MP4", 8),
        File("CAM_A/DCIM/DJI_001/DJI_20260118140020_0002_D.MP4", 6),
        File("CAM_B/DCIM/DJI_001/DJI_20260118140015_0001_D.MP4", 9),
        File("CAM_B/DCIM/DJI_001/DJI_20260118140044_0002_D.MP4", 5),
      ], places: ["CAM_A 0.000 8.000", "CAM_B 0.000 29.000"], notes: ["may be different clocks"]),
    Case(
      testDescription: "cards of two cameras (Sony)",
      files: [
        xavc("A/PRIVATE/M4ROOT/CLIP/C0012.MP4", 8, "13:00:12"),
        xavc("A/PRIVATE/M4ROOT/CLIP/C0013.MP4", 6, "13:00:25"),
        xavc("B/PRIVATE/M4ROOT/CLIP/C0044.MP4", 10, "13:00:05"),
      ], places: ["A 0.000 13.000", "B 0.000"], notes: ["may be different clocks"]),
    Case(
      testDescription: "subjects of a study are no takes",
      files: [
        File("S01_cam.mp4", 8), File("S01_mic.wav", 8), File("S02_cam.mp4", 8),
        File("S02_mic.wav", 8),
      ], places: ["S01 0.000 0.000", "S02 0.000 0.000"]),
    Case(
      testDescription: "sessions of subjects",
      files: [
        File("S001_session1.mp4", 8), File("S001_session2.mp4", 8), File("S002_session1.mp4", 8),
      ], places: ["S001_session1 0.000", "S001_session2 0.000", "S002_session1 0.000"]),
    Case(
      testDescription: "a person with a camera's name",
      files: [File("sam-2026-03-01T193012.webm", 9), File("ada-2026-03-01T193015.webm", 8)],
      places: ["ada 3.000", "sam 0.000"]),
    Case(
      testDescription: "equal lengths alone make no copies",
      files: [
        File("Ada/9f8e7d6c5b.webm", 60), File("Ada/1a2b3c4d5e.webm", 60),
        File("Ben/2026-03-01_a.webm", 60), File("Ben/2026-03-01_b.webm", 60),
      ], places: ["Ada 0.000", "Ada 0.000", "a 0.000", "b 0.000"]),
    Case(
      testDescription: "two calls of one contact (Basic Call Recorder)",
      files: [
        File("20260118_140012.345+0100_out_03012345678_Anna Meyer.oga", 9),
        File("20260118_140031.120+0100_in_03012345678_Anna Meyer.oga", 6),
        File("20260118_140014.345+0100_in_03012345679_Ben.oga", 6),
      ], places: ["Anna-Meyer 0.000 18.775", "Ben 2.000"]),
    Case(
      testDescription: "dates of folders (Matrox)",
      files: [
        File("Talk-2024-06-10 140000_1/Alice.mp4", 8), File("Talk-2024-06-10 140000_2/Bob.mp4", 9),
        File("Talk-2024-06-10 140030_1/Alice.mp4", 6),
        File("Talk-2024-06-10 140030_2/Bob.mp4", 6.2),
      ], places: ["Alice 0.000 30.000", "Bob 0.000 30.000"]),
    Case(
      testDescription: "previews (Insta360)",
      files: [
        File("LRV_20220110_121609_11_657.mp4", 8), File("VID_20220110_121609_00_657.insv", 8),
      ], places: ["VID_00 0.000"], notes: ["it is a preview"]),
    Case(
      testDescription: "takes after a number sign (Logic)",
      files: [
        field("Alice#01.wav", 8, at: 3600), field("Alice#02.wav", 6, at: 3620),
        field("Bob#01.wav", 8, at: 3600),
      ], places: ["Alice 0.000 20.000", "Bob#01 0.000"]),
    Case(
      testDescription: "phones tag the end time (Android)",
      files: [
        dated("Alice/VID_0001.mp4", 9, "14:00:09"), dated("Bob/VID_0007.mp4", 7, "14:00:10"),
      ].map { file in
        var file = file
        file.tags.merge(android) { $1 }
        return file
      }, alignment: .clock, places: ["Alice 0.000", "Bob 3.000"]),
    Case(
      testDescription: "names in local time beside dates in UTC (Voice Memos)",
      files: [
        dated("Alice/20240315 141919-F88397C6.m4a", 9, "12:19:19"),
        dated("Alice/20240315 142001-5D1E7A90.m4a", 6, "12:20:01"),
        dated("Bob/20240315 141924-0A1B2C3D.m4a", 8, "12:19:24"),
      ], alignment: .clock, places: ["Alice 0.000 42.000", "Bob 5.000"]),
  ]

  @Test(arguments: takes) func takesArePlaced(test: Case) throws {
    let found = try Self.placement(test)
    let notes = found.0.notes.map(\.commandLine) + found.0.recording.notes
    #expect(Self.places(found) == test.places, "\(notes)")
    for words in test.notes { #expect(notes.contains { $0.contains(words) }, "\(notes)") }
  }
}
