package import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// A people file: names for identifiers, written by hand for recorders that only store identifiers.
///
/// CSV with the columns `id`, `name`, `avatar`, `local` and `same-as` in any order, separated by
/// commas, semicolons or tabs; or JSON or YAML, either a list of objects with these keys or an
/// object that maps identifiers to names.
package struct PeopleFile: Hashable, Sendable {
  /// The entry of one identifier; `nil` leaves a property as recorded.
  package struct Entry: Hashable, Sendable {
    /// The participant's identifier in the recording.
    package var id: String
    package var name: String?
    /// The path of the participant's image.
    package var avatar: String?
    /// True for the participant from whose point of view the call is shown.
    package var isLocal: Bool?
    /// The identifier under which the same person was in the call before.
    package var sameAs: String?
  }

  /// The people file's entries, one for each identifier.
  package var all: [Entry]
  /// The file's name for messages.
  package let file: String

  /// Reads a people file. The extension selects the format.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - file: its path, for the extension and for messages.
  /// - Throws: one sentence with the wrong line or key.
  package init(_ bytes: [UInt8], file: String) throws(DocumentError) {
    self.file = file
    if let syntax = DocumentValue.Syntax(fileName: file) {
      let text = try TextDecoder.utf8(bytes, file: file)
      let document = try DocumentValue(text, syntax == .json ? .jsonc : syntax, file: file)
      all = try Self.read(document, file)
    } else {
      all = try Self.read(try CSVTable(bytes, file: file))
    }
    guard all.count <= 100_000 else {
      throw DocumentError(file: file, reason: "it names more than 100000 people")
    }
    var seen: Set<String> = []
    for person in all where !seen.insert(person.id).inserted {
      throw DocumentError(file: file, path: person.id, reason: "occurs twice")
    }
  }

  private static func read(_ document: DocumentValue, _ file: String) throws(DocumentError)
    -> [Entry]
  {
    var people: [Entry] = []
    switch document {
    case .list(let values):
      for (index, value) in values.enumerated() {
        var members = DocumentValue.Members()
        members.append("people", .list([value]))
        var list = try DocumentMemberReader(.object(members), file: file, kind: "a people file")
        guard var item = try list.objects("people")?.first else { continue }
        do throws(DocumentError) {
          people.append(try person(&item))
        } catch {
          var error = error
          error.path = "[\(index)]" + error.path.dropFirst("people[0]".count)
          throw error
        }
      }
    case .object(let members):
      for member in members.all {
        guard let name = member.value.identifier else {
          throw DocumentError(file: file, path: member.key, reason: "must be a name")
        }
        people.append(Entry(id: member.key, name: name))
      }
    default: throw DocumentError(file: file, reason: "it is neither a list nor an object")
    }
    return people
  }

  private static func person(_ item: inout DocumentMemberReader) throws(DocumentError) -> Entry {
    let id = try item.identifier("id")
    var person = Entry(id: try item.required(id, "id"))
    person.name = try item.identifier("name")
    person.avatar = try item.text("avatar")
    person.isLocal = try item.bool("local")
    person.sameAs = try item.identifier("same-as")
    try item.finish()
    return person
  }

  private static let columns = ["id", "name", "avatar", "local", "same-as"]

  private static func read(_ csv: CSVTable) throws(DocumentError) -> [Entry] {
    guard let header = csv.rows.first else {
      throw DocumentError(file: csv.file, reason: "it is empty")
    }
    let names = header.map { $0.trimmed.lowercased() }
    for name in names where !columns.contains(name) {
      let hint = name.nearest(among: columns).map { "did you mean \"\($0)\"?" }
      throw DocumentError(
        file: csv.file, path: name,
        reason: "is not a column of a people file: "
          + "\(hint ?? "the columns are \(columns.joined(separator: ", "))")")
    }
    guard names.contains("id"), Set(names).count == names.count else {
      throw DocumentError(file: csv.file, path: "id", reason: "has to be a column, once")
    }
    var people: [Entry] = []
    for (index, row) in csv.rows.enumerated().dropFirst() {
      let line = "line \(index + 1)"
      guard row.count == names.count else {
        throw DocumentError(
          file: csv.file, path: line, reason: "has \(row.count) fields in place of \(names.count)")
      }
      var person = Entry(id: "")
      for (name, field) in zip(names, row) where !field.trimmed.isEmpty {
        switch name {
        case "id": person.id = field.trimmed
        case "name": person.name = field.trimmed
        case "avatar": person.avatar = field.trimmed
        case "same-as": person.sameAs = field.trimmed
        default: person.isLocal = try truth(field.trimmed, csv.file, line)
        }
      }
      guard !person.id.isEmpty else {
        throw DocumentError(file: csv.file, path: line, reason: "has no id")
      }
      people.append(person)
    }
    return people
  }

  private static func truth(
    _ text: String, _ file: String, _ line: String
  ) throws(DocumentError) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "on", "1": return true
    case "false", "no", "off", "0": return false
    default: throw DocumentError(file: file, path: line, reason: "must have true or false as local")
    }
  }

  /// Returns `recording` with names, images and joined identifiers as the file states.
  ///
  /// Adds a note for each entry whose identifier is not in the recording.
  package func applied(to recording: Recording) -> Recording {
    var recording = recording
    let ids = recording.participants.map(\.id)
    let positions = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    var hasLocal = false
    for person in all {
      guard let index = positions[person.id] else {
        guard recording.messages.count < 200 else { continue }
        let hint = person.id.nearest(among: ids).map { "; did you mean \"\($0)\"?" } ?? "."
        recording.messages.append(
          "\(file: file): the recording has no participant \"\(person.id)\"\(hint)")
        continue
      }
      if let name = person.name { recording.participants[index].name = name }
      if let avatar = person.avatar { recording.participants[index].avatar = avatar }
      if person.isLocal == true, !hasLocal {
        hasLocal = true
        for other in recording.participants.indices {
          recording.participants[other].isLocal = other == index
        }
      } else if let isLocal = person.isLocal, !isLocal {
        recording.participants[index].isLocal = false
      }
    }
    var joined: [Participant.ID: Participant.ID] = [:]
    for person in all {
      guard let other = person.sameAs, positions[person.id] != nil else { continue }
      var target = other
      while let next = joined[target] { target = next }
      guard !recording.join(person.id, to: target) else {
        joined[person.id] = target
        continue
      }
      let hint = other.nearest(among: ids).map { "; did you mean \"\($0)\"?" } ?? "."
      recording.messages.append(
        "\(file: file): \"\(person.id)\" is not joined, as the recording has no other participant \"\(other)\"\(hint)"
      )
    }
    return recording
  }
}
