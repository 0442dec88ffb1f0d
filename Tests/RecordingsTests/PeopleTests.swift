import TesseraRecordings
import Testing

@Suite struct PeopleTests {
  private static func people(_ text: String, _ file: String = "people.csv") throws -> People {
    try People(Array(text.utf8), file: file)
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

  @Test func namesByIdentifierAreEnough() throws {
    let named = try Self.people("PA1: Ada\nPA3: 7", "p.yml").applied(to: Self.recording)
    #expect(named.participants.map(\.name) == ["Ada", "PA2"])
    #expect(named.participants.map(\.isLocal) == [true, false])
    #expect(
      named.notes == [#"p.yml: "PA3" is nobody in the recording; did you mean "PA1"?"#])
  }

  @Test(arguments: [
    ("people.csv", "", "people.csv cannot be read: it is empty."),
    ("people.csv", "name\nx", #"people.csv: "id" has to be a column, once."#),
    (
      "people.csv", "id,nam\n",
      #"people.csv: "nam" is not a column of a people file: did you mean "name"?"#
    ),
    ("people.csv", "id,name\na", #"people.csv: "line 2" has 1 fields in place of 2."#),
    ("people.csv", "id\na\na", #"people.csv: "a" is there twice."#),
    ("people.csv", "id,local\na,maybe", #"people.csv: "line 2" must say true or false as local."#),
    ("people.csv", "id\n\"a", "people.csv cannot be read: a quote in it does not end."),
    ("people.json", "5", "people.json cannot be read: it is neither a list nor an object."),
    ("people.json", #"[{"name": "x"}]"#, #"people.json: "[0].id" is missing."#),
    (
      "people.json", #"[{"id": "a"}, {"id": "b", "nme": 1}]"#,
      #"people.json: "[1].nme" is not a key of a people file: did you mean "name"?"#
    ),
    ("people.json", #"{"a": []}"#, #"people.json: "a" must be a name."#),
  ])
  func refusesInOneSentence(file: String, text: String, said: String) {
    #expect(message { _ = try Self.people(text, file) } == said)
  }
}
