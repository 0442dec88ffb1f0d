import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Reads and writes the shots of a session file.
///
/// Each has a time, and `person`, `people`, `everybody` or `screen`.
struct SessionShotCoder {
  let people: SessionParticipantReader

  /// The maximum number of shots.
  static let most = 20_000

  func shots(_ cursor: inout DocumentMemberReader) throws(DocumentError) -> [ShotStart] {
    let items = try cursor.objects("shots") ?? []
    guard items.count <= Self.most else {
      throw cursor.invalid("shots", "at most \(Self.most)")
    }
    var shots: [ShotStart] = []
    for item in items { shots.append(try shot(item)) }
    shots.stableSort { $0.time < $1.time }
    return shots
  }

  private func shot(_ item: DocumentMemberReader) throws(DocumentError) -> ShotStart {
    var item = item
    let written = try item.timelineTime("at")
    let time = try item.required(written, "at")
    var contents: [ShotStart.Subject] = []
    if let id = try item.identifier("person") {
      contents.append(.person(try people.checked(id, "person", item)))
    }
    if let two = try item.texts("people") {
      guard two.count == 2, two[0] != two[1] else {
        throw item.invalid("people", "a list of two participants")
      }
      contents.append(
        .people(
          try people.checked(two[0], "people", item), try people.checked(two[1], "people", item)))
    }
    if try item.bool("everybody") == true { contents.append(.everybody) }
    let withSpeaker = try item.bool("speaker")
    if let id = try item.identifier("screen") {
      contents.append(
        .screen(try people.checked(id, "screen", item), withSpeaker: withSpeaker ?? false))
    } else if withSpeaker != nil {
      throw item.wrong("speaker", "belongs to a \"screen\"")
    }
    try item.finish()
    guard let content = contents.first, contents.count == 1 else {
      throw item.wrong(
        "at", "needs one of \"person\", \"people\", \"everybody\" and \"screen\" beside it")
    }
    return ShotStart(time, content)
  }

  static func document(_ shot: ShotStart) -> DocumentValue {
    var members = DocumentValue.Members()
    members.append("at", DocumentValue(shot.time))
    switch shot.content {
    case .person(let id): members.append("person", .text(id))
    case .people(let first, let second):
      members.append("people", .list([.text(first), .text(second)]))
    case .everybody: members.append("everybody", .bool(true))
    case .screen(let id, let withSpeaker):
      members.append("screen", .text(id))
      if withSpeaker { members.append("speaker", .bool(true)) }
    }
    return .object(members)
  }
}
