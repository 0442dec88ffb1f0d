import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct PeopleFileTests {
  private static func people(_ text: String, _ file: String = "people.csv") throws -> PeopleFile {
    try PeopleFile(Array(text.utf8), file: file)
  }

  private static let recording = Recording(participants: [
    Participant(id: "PA1", isLocal: true), Participant(id: "PA2"),
  ])

  @Test(arguments: [
    ("people.csv", "id,name,avatar,local\nPA2,\"Lovelace, \"\"Ada\"\"\",ada.png,yes\r\n"),
    ("people.csv", "\u{feff}local;name;id;avatar\n1;\"Lovelace, \"\"Ada\"\"\";PA2;ada.png"),
    (
      "people.json",
      #"[{"id": "PA2", "name": "Lovelace, \"Ada\"", "avatar": "ada.png", "local": true}]"#
    ),
    ("people.yaml", "- { id: PA2, name: 'Lovelace, \"Ada\"', avatar: ada.png, local: on }"),
  ])
  func peopleAreNamed(file: String, text: String) throws {
    let named = try Self.people(text, file).applied(to: Self.recording)
    #expect(
      named.participants == [
        Participant(id: "PA1"),
        Participant(id: "PA2", name: "Lovelace, \"Ada\"", isLocal: true, avatar: "ada.png"),
      ])
    #expect(named.notes.isEmpty)
  }

  /// Excel's encodings in Europe, and those of other programs.
  @Test(arguments: ["p.csv", "p.yaml", "p.json"], ["utf8", "mark", "little", "big", "bare"])
  func encodingsAreRead(file: String, encoding: String) throws {
    let text =
      switch file {
      case "p.csv": "id;name\r\nPA1;Zoë\r\nPA2;\"Ben; 2\"\r\n"
      case "p.yaml": "PA1: Zoë\nPA2: Ben; 2\n"
      default: #"{"PA1": "Zoë", "PA2": "Ben; 2"}"#
      }
    func wide(_ text: String, isLittle: Bool) -> [UInt8] {
      text.utf16.flatMap { unit in
        let bytes = [UInt8(unit & 0xff), UInt8(unit >> 8)]
        return isLittle ? bytes : bytes.reversed()
      }
    }
    let bytes =
      switch encoding {
      case "utf8": Array(text.utf8)
      case "mark": Array("\u{feff}\(text)".utf8)
      case "little": wide("\u{feff}\(text)", isLittle: true)
      case "big": wide("\u{feff}\(text)", isLittle: false)
      default: wide(text, isLittle: true)
      }
    let named = try PeopleFile(bytes, file: file).applied(to: Self.recording)
    #expect(named.participants.map(\.name) == ["Zoë", "Ben; 2"])
    #expect(named.notes.isEmpty)
  }

  @Test(arguments: [
    "id\tname\nPA1\tZoë, Dr.; MD\n", "sep=;\r\nid;name\r\nPA1;\"Zoë, Dr.; MD\"\r\n",
    "id;name;avatar\rPA1;\"Zoë, Dr.; MD\";\r", "\"name\";\"id\"\n\"Zoë, Dr.; MD\";PA1\n",
  ])
  func separatorsAreFound(text: String) throws {
    let named = try Self.people(text).applied(to: Self.recording)
    #expect(named.participants[0].name == "Zoë, Dr.; MD")
  }

  @Test func otherEncodingsAreRefused() {
    let said = message { _ = try PeopleFile(Array("id;name\nPA1;Zo".utf8) + [0xeb], file: "p.csv") }
    #expect(
      said
        == "p.csv cannot be read: it is neither UTF-8 nor UTF-16 text; save it as UTF-8 (in Excel: CSV UTF-8)."
    )
  }

  @Test func namesByIdentifierSuffice() throws {
    let named = try Self.people("PA1: Ada\nPA3: 7", "p.yml").applied(to: Self.recording)
    #expect(named.participants.map(\.name) == ["Ada", "PA2"])
    #expect(named.participants.map(\.isLocal) == [true, false])
    #expect(
      named.notes == [#"p.yml: the recording has no participant "PA3"; did you mean "PA1"?"#])
  }

  @Test(arguments: [
    ("p.csv", "id,same-as\nPA2,PA1\nPA3,PA2\n"),
    ("p.yaml", "- { id: PA3, same-as: PA2 }\n- { id: PA2, same-as: PA1 }"),
  ])
  func returningPeopleAreJoined(file: String, text: String) throws {
    func person(_ id: String, at start: Int) -> Participant {
      let track = Track(id: id, file: "\(id).webm", start: MediaTime(seconds: start))
      return Participant(id: id, name: "Ada", isLocal: id == "PA3", tracks: [track])
    }
    let call = Recording(
      participants: [person("PA2", at: 20), person("PA1", at: 0), person("PA3", at: 40)],
      events: [CallEvent(MediaTime(seconds: 40), .joined("PA3"))])
    let joined = try Self.people(text, file).applied(to: call)
    #expect(joined.participants.map(\.id) == ["PA1"])
    #expect(joined.participants[0].isLocal)
    #expect(joined.tracks.map(\.file) == ["PA1.webm", "PA2.webm", "PA3.webm"])
    #expect(joined.events == [CallEvent(MediaTime(seconds: 40), .joined("PA1"))])
    #expect(joined.notes.isEmpty)
  }

  @Test func unknownPeopleCannotBeJoined() throws {
    let named = try Self.people("id,same-as\nPA2,PA9").applied(to: Self.recording)
    #expect(named.participants.map(\.id) == ["PA1", "PA2"])
    #expect(
      named.notes == [
        #"people.csv: "PA2" is not joined, as the recording has no other participant "PA9"; did you mean "PA1"?"#
      ])
    let circle = try Self.people("id,same-as\nPA2,PA1\nPA1,PA2").applied(to: Self.recording)
    #expect(circle.participants.map(\.id) == ["PA1"] && circle.notes.count == 1)
  }

  @Test(arguments: [
    ("people.csv", "", "people.csv cannot be read: it is empty."),
    ("people.csv", "name\nx", #"people.csv: "id" has to be a column, once."#),
    (
      "people.csv", "id,nam\n",
      #"people.csv: "nam" is not a column of a people file: did you mean "name"?"#
    ),
    ("people.csv", "id,name\na", #"people.csv: "line 2" has 1 fields in place of 2."#),
    ("people.csv", "id\na\na", #"people.csv: "a" occurs twice."#),
    ("people.csv", "id,local\na,maybe", #"people.csv: "line 2" must have true or false as local."#),
    ("people.csv", "id\n\"a", "people.csv cannot be read: a quote in it does not end."),
    ("people.json", "5", "people.json cannot be read: it is neither a list nor an object."),
    ("people.json", #"[{"name": "x"}]"#, #"people.json: "[0].id" is missing: add "id: …" there."#),
    (
      "people.json", #"[{"id": "a"}, {"id": "b", "nme": 1}]"#,
      #"people.json: "[1].nme" is not a key of a people file: did you mean "name"?"#
    ),
    ("people.json", #"{"a": []}"#, #"people.json: "a" must be a name."#),
  ])
  func invalidPeopleFilesAreRefused(file: String, text: String, said: String) {
    #expect(message { _ = try Self.people(text, file) } == said)
  }
}
