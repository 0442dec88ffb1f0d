import Foundation
import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRecordings

@Suite(.timed) struct SessionFileTests {
  private static let full = """
    version: 1
    title: Weekly sync
    started-at: 2025-10-09T08:53:20Z
    layout: speaker
    canvas: { size: 1920x1080, fps: 30000/1001, background: "#101418" }
    trim-idle: off
    align: clock
    participants:
      - id: ada
        name: Ada Lovelace
        local: true
        avatar: ada.png
        tracks:
          - { file: ada-camera.webm, kind: camera, start: 0, sound: off }
          - { file: ada-mic.opus, kind: microphone, start: 0.040, rate: 1.00012, gain: -2.5, stream: 1 }
          - { id: back, file: ada-2.webm, start: 1:02.5, stop: 2:00, in: 1, out: 3.000000001 }
          - { file: ada-3.webm, follows: back, container-start: on, clock: 2025-10-09T09:00:00+02:00 }
      - id: slides
        tile: true
        tracks: [ { file: slides.webm, kind: screen, source: 2, names: [a*], classes: [focus] } ]
      - id: 7
    events:
      - { at: 12.5, participant: ada, camera: off, name: "Ada L." }
      - { at: 20.0, participant: 7, present: on }
      - { at: 61.2, layout: horizontal-presentation, focus: slides, pin: none }
      - { at: 5, layout: { regions: { main: { video_sources: ["*"] } } } }
      - { at: 6, layout: { stylesheet: "stream { float: left }" }, speaking: ada }
      - { at: 7, track: back, classes: [] }
    shots:
      - { at: 1:00, screen: slides, speaker: on }
      - { at: 0, everybody: on }
      - { at: 3.5, person: ada }
      - { at: 20, people: [ada, slides] }
      - { at: 90, screen: slides }
    overlays:
      - { from: 1, to: 2, text: "Hello: you", place: top-left }
      - { image: logo.png }
    transcripts:
      - { file: call.vtt, start: -2.5 }
      - { file: ada.json, participant: ada }
    notes: [One.]
    left-out: [mix.m4a, all.mp4]
    """

  private static func read(_ text: String) throws -> Recording {
    try SessionFile.recording(
      from: DocumentValue(text, text.hasPrefix("{") ? .json : .yaml, file: "session.yaml"),
      file: "session.yaml")
  }

  @Test func allMembersAreRead() throws {
    let recording = try Self.read(Self.full)
    #expect(recording.startedAt == MediaTime(seconds: 1_760_000_000))
    #expect(recording.canvas.frameRate == FrameRate(30000, 1001))
    #expect(recording.trimsIdle == false && recording.alignment == .clock)
    #expect(recording.layout == .named("speaker"))
    let tracks = recording.participants[0].tracks
    #expect(tracks.map(\.id) == ["ada-1", "ada-2", "back", "ada-4"])
    #expect(tracks[0].isHeard == false && tracks[1].gain == -2.5 && tracks[1].stream == 1)
    #expect(tracks[0].rate == .one && tracks[1].rate == Ratio(100_012_000, 100_000_000))
    #expect(tracks[1].start == .at("0.04") && tracks[2].start == .at("62.5"))
    #expect(tracks[2].stop == .at("120") && tracks[2].outPoint?.nanoseconds == 3_000_000_001)
    #expect(tracks[3].follows == "back" && tracks[3].place?.event == .zero)
    #expect(tracks[3].anchors.last?.time == MediaTime(seconds: 1_759_993_200))
    #expect(recording.leftOut == ["all.mp4", "mix.m4a"])
    #expect(recording.participants.map(\.name) == ["Ada Lovelace", "slides", "7"])
    #expect(
      recording.transcripts == [
        TranscriptReference(file: "call.vtt", start: .zero - .at("2.5")),
        TranscriptReference(file: "ada.json", participant: "ada"),
      ])
    #expect(
      recording.events == [
        CallEvent(.at("5"), .layout(.regions(json: #"{"main":{"video_sources":["*"]}}"#))),
        CallEvent(.at("6"), .layout(.stylesheet("stream { float: left }"))),
        CallEvent(.at("6"), .speaking("ada")), CallEvent(.at("7"), .classes("back", [])),
        CallEvent(.at("12.5"), .renamed("ada", to: "Ada L.")),
        CallEvent(.at("12.5"), .disabled("ada", .camera)), CallEvent(.at("20"), .joined("7")),
        CallEvent(.at("61.2"), .layout(.named("horizontal-presentation"))),
        CallEvent(.at("61.2"), .focused("slides")), CallEvent(.at("61.2"), .pinned(nil)),
      ])
    #expect(
      recording.shots == [
        ShotStart(.at("0"), .everybody), ShotStart(.at("3.5"), .person("ada")),
        ShotStart(.at("20"), .people("ada", "slides")),
        ShotStart(.at("60"), .screen("slides", withSpeaker: true)),
        ShotStart(.at("90"), .screen("slides", withSpeaker: false)),
      ])
    #expect(
      recording.overlays == [
        Overlay(from: .at("1"), to: .at("2"), .text("Hello: you"), at: .topLeft),
        Overlay(.image("logo.png")),
      ])
  }

  @Test func writtenSessionsAreReadBack() throws {
    let recording = try Self.read(Self.full)
    let document = SessionFile.document(recording)
    #expect(try Self.read(document.yaml) == recording, "\(document.yaml)")
    #expect(try Self.read(document.json(isIndented: true)) == recording)
    #expect(SessionFile.document(try Self.read(document.yaml)) == document)
    #expect(
      try JSONDecoder().decode(Recording.self, from: JSONEncoder().encode(recording)) == recording)
  }

  @Test func longSessionsAreReadBack() throws {
    var recording = Recording(participants: [Participant(id: "ada")])
    recording.events = (0..<50_000).map {
      CallEvent(MediaTime(nanoseconds: Int64($0) * 1_000_000), .disabled("ada", .microphone))
    }
    let text = SessionFile.text(recording)
    #expect(text.utf8.count > DocumentValue.maximumYAMLSize)
    let document = try DocumentValue(text, .yaml, file: "s.yaml")
    #expect(try SessionFile.recording(from: document, file: "s.yaml") == recording)
    recording.events.removeLast(49_990)
    #expect(SessionFile.text(recording).hasPrefix("version: 1\nparticipants:\n"))
    #expect(SessionFile.text(recording, .json).hasPrefix("{\n"))
  }

  /// Invalid tracks of a session's first participant, and the expected errors.
  static let wrongTracks: [(tracks: String, said: String, isForSchema: Bool)] = [
    (#"[{}]"#, #""participants[0].tracks[0].file" is missing: add "file: …" there."#, true),
    (#"[{"file": ""}]"#, #""participants[0].tracks[0].file" must be a path."#, true),
    (
      #"[{"file": "a", "strt": 1}]"#,
      #""participants[0].tracks[0].strt" is not a key of a session file: did you mean "start"?"#,
      true
    ),
    (
      #"[{"file": "a", "start": "x"}]"#,
      #""participants[0].tracks[0].start" must be a time: seconds, or text such as "1:02.5"."#, true
    ),
    (
      #"[{"file": "a", "start": -1}]"#,
      #""participants[0].tracks[0].start" must not be negative."#, true
    ),
    (
      #"[{"file": "a", "start": 31536000}]"#,
      #""participants[0].tracks[0].start" is later than a week, which is the longest recording."#,
      true
    ),
    (
      #"[{"file": "a", "start": "NaN"}]"#,
      #""participants[0].tracks[0].start" must be a time: seconds, or text such as "1:02.5"."#, true
    ),
    (
      #"[{"file": "a", "start": 5, "stop": 5}]"#,
      #""participants[0].tracks[0].stop" must be later than "start"."#, false
    ),
    (
      #"[{"file": "a", "in": 5, "out": 1}]"#,
      #""participants[0].tracks[0].out" must be later than "in"."#, false
    ),
    (
      #"[{"file": "a", "kind": "camra"}]"#,
      #""participants[0].tracks[0].kind" must be one of camera, screen, microphone, screen-audio, "#
        + #"still, media: did you mean "camera"?"#, true
    ),
    (
      #"[{"file": "a", "gain": 99}]"#,
      #""participants[0].tracks[0].gain" must be a number from -96 to 48."#, true
    ),
    (
      #"[{"file": "a", "stream": 1.5}]"#,
      #""participants[0].tracks[0].stream" must be a whole number from 0 to 999."#, true
    ),
    (
      #"[{"file": "a", "id": "t"}, {"file": "b", "id": "t"}]"#,
      #""participants[0].tracks[1].id" is t, as another track's is."#, false
    ),
    (
      #"[{"file": "a", "follows": "ada-3"}, {"file": "b"}]"#,
      #""participants[0].tracks[0].follows" names no track: did you mean "ada-1"?"#, false
    ),
    (
      #"[{"file": "a", "follows": "ada-1"}]"#,
      #""participants[0].tracks[0].follows" goes in a circle."#, false
    ),
    (#"{}"#, #""participants[0].tracks" must be a list."#, true),
    (#"[1]"#, #""participants[0].tracks[0]" must be an object."#, true),
    (
      #"[{"file": "a", "clock": "today"}]"#,
      #""participants[0].tracks[0].clock" must be a date and time such as 2025-10-09T08:53:20Z."#,
      true
    ),
  ]

  /// Invalid members beside the participants, and the expected errors.
  static let wrongMembers: [(members: String, said: String, isForSchema: Bool)] = [
    (
      #""events": [{"at": 1, "participant": "adda", "camera": "off"}]"#,
      #""events[0].participant" matches no participant: did you mean "ada"?"#, false
    ),
    (
      #""events": [{"at": 1, "camera": "off"}]"#,
      #""events[0].participant" is missing: add "participant: …" there."#, true
    ),
    (
      #""events": [{"at": 1, "participant": "ada", "camra": "off"}]"#,
      #""events[0].camra" is not a key of a session file: did you mean "camera"?"#, true
    ),
    (
      #""events": [{"at": 1, "participant": "ada", "mic": "off"}]"#,
      #""events[0].mic" is not a key of a session file: did you mean "microphone"?"#, true
    ),
    (
      #""events": [{"at": 1, "participant": "ada", "joined": "on"}]"#,
      #""events[0].joined" is not a key of a session file: did you mean "present"?"#, true
    ),
    (
      #""events": [{"at": 1, "participant": "ada", "focus": "ada"}]"#,
      #""events[0].participant" has no change: add one, such as camera: off."#, true
    ),
    (#""events": [{"camera": "off"}]"#, #""events[0].at" is missing: add "at: …" there."#, true),
    (
      #""events": [{"at": 1}]"#,
      #""events[0].at" has no change beside it: add one, such as layout: speaker."#, true
    ),
    (
      #""events": [{"at": 1, "participant": "ada", "camera": 1}]"#,
      #""events[0].camera" must be true or false."#, true
    ),
    (
      #""events": [{"at": 1, "track": "ada-1"}]"#,
      #""events[0].track" and "classes" belong together."#, true
    ),
    (
      #""layout": {"region": {}}"#,
      #""layout.region" is not a key of a session file: the keys are regions, stylesheet."#, true
    ),
    (
      #""layout": 5"#,
      #""layout" must be a layout's name, or an object with "regions" or "stylesheet"."#, true
    ),
    (#""canvas": {"size": "big"}"#, #""canvas.size" must be a size such as 1920x1080."#, true),
    (
      #""canvas": {"fps": 0}"#,
      #""canvas.fps" must be frames a second such as 30 or 30000/1001, or auto."#,
      true
    ),
    (
      #""shots": [{"at": 1, "person": "adda"}]"#,
      #""shots[0].person" matches no participant: did you mean "ada"?"#, false
    ),
    (
      #""shots": [{"at": 1}]"#,
      #""shots[0].at" needs one of "person", "people", "everybody" and "screen" beside it."#, false
    ),
    (
      #""shots": [{"at": 1, "people": ["ada"]}]"#,
      #""shots[0].people" must be a list of two participants."#, true
    ),
    (
      #""shots": [{"at": 1, "person": "ada", "speaker": "on"}]"#,
      #""shots[0].speaker" belongs to a "screen"."#, false
    ),
    (
      #""overlays": [{"text": "a", "image": "b"}]"#,
      #""overlays[0].text" or "image" is required, and not both."#, true
    ),
    (
      #""overlays": [{"text": "a", "from": 2, "to": 1}]"#,
      #""overlays[0].to" must be later than "from"."#, false
    ),
    (#""tilte": "x""#, #""tilte" is not a key of a session file: did you mean "title"?"#, true),
    (#""title": 5"#, #""title" must be text."#, true),
    (#""notes": [5]"#, #""notes" must be a list of texts."#, true),
    (#""left-out": "a""#, #""left-out" must be a list of texts."#, true),
  ]

  private static var wrongSessions: [(json: String, said: String, isForSchema: Bool)] {
    var all = wrongTracks.map {
      (#"{"version": 1, "participants": [{"id": "ada", "tracks": \#($0.tracks)}]}"#, $0.said, $0.2)
    }
    all += wrongMembers.map {
      (
        #"{"version": 1, "participants": [{"id": "ada", "tracks": [{"file": "a"}]}], \#($0.members)}"#,
        $0.said, $0.2
      )
    }
    return all + [
      (
        #"{"participants": []}"#, #""version" is missing: begin a session file with "version: 1"."#,
        true
      ),
      (
        #"{"version": 2, "participants": []}"#,
        #""version" must be 1, the supported version."#, true
      ),
      (#"{"version": 1}"#, #""participants" is missing: add "participants: …" there."#, true),
      (#"{"version": 1, "participants": []}"#, #""participants" must be at least one."#, true),
      (
        #"{"version": 1, "participants": [{"id": "a"}, {"id": "a"}]}"#,
        #""participants[1].id" is a, as another participant's is."#, false
      ),
      (
        #"{"version": 1, "participants": [{"id": "none"}]}"#,
        #""participants[0].id" must be text other than "none"."#, true
      ),
    ]
  }

  @Test func invalidSessionsAreRefused() {
    for (json, said, _) in Self.wrongSessions {
      #expect(message { _ = try Self.read(json) } == "session.yaml: \(said)")
    }
  }

  @Test func missingFilesAreErrors() throws {
    let document = try DocumentValue(
      #"{"version": 1, "participants": [{"id": "a", "tracks": [{"file": "ada.wbm"}]}]}"#, .json,
      file: "s.json")
    #expect(
      message {
        _ = try SessionFile.recording(
          from: document, file: "s.json", isPresent: { $0 == "ada.webm" }, known: ["ada.webm"])
      }
        == #"s.json: "participants[0].tracks[0].file" names the file ada.wbm, which does not exist: "#
        + #"did you mean "ada.webm"?"#)
  }

  /// Inspection may continue without recordings, but not without images.
  @Test(arguments: [(#""tracks": [{"file": "a.webm"}]"#, true), (#""avatar": "a.png""#, false)])
  func missingRecordingsCanBePermitted(member: String, isAllowed: Bool) throws {
    let document = try DocumentValue(
      #"{"version": 1, "participants": [{"id": "a", \#(member)}]}"#, .json, file: "s.json")
    let said = message {
      _ = try SessionFile.recording(
        from: document, file: "s.json", isPresent: { _ in false }, allowsMissing: true)
    }
    #expect((said == nil) == isAllowed)
  }

  /// The schema agrees with the code, except for errors that only code can detect.
  @Test func theSchemaAgrees() throws {
    let schema = SourceTree.path("Sources/Call/Recordings/session.schema.json")
    let good = try DocumentValue(Self.full, .yaml, file: "")
    let written = SessionFile.document(try Self.read(Self.full))
    let wrong = Self.wrongSessions
    let sessions = [good.json(), written.json()] + wrong.map(\.json)
    let folder = try TemporaryFolder()
    try Data("[\(sessions.joined(separator: ","))]".utf8)
      .write(to: URL(fileURLWithPath: folder.path("sessions.json")))
    let program = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft7Validator.check_schema(schema)
      check = jsonschema.Draft7Validator(schema)
      print("".join("01"[check.is_valid(s)] for s in json.load(open(sys.argv[2]))))
      """
    let result = try Tool.run(
      "/usr/bin/python3", ["-c", program, schema, folder.path("sessions.json")])
    let verdicts = Array(result.text.filter { $0 == "0" || $0 == "1" })
    try #require(verdicts.count == sessions.count, "\(result.messages)")
    let expected = [true, true] + wrong.map { !$0.isForSchema }
    for (index, isValid) in expected.enumerated() {
      #expect((verdicts[index] == "1") == isValid, "\(sessions[index])")
    }
  }
}
