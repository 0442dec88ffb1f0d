import TesseraDocuments

/// Parses free text that describes a participant: JSON, `name=Ada,role=host`, or just a name.
///
/// Applications choose the form of this text; recorders pass it through.
struct ParticipantMetadata {
  /// The participant's name; `nil` if the text contains none.
  private(set) var name: String?
  /// The participant's identifier; `nil` if the text contains none.
  private(set) var id: String?

  init(_ text: String) {
    guard !text.isEmpty else { return }
    if let document = try? DocumentValue(text, .json, file: "") {
      if document.object != nil {
        read(document)
      } else {
        name = document.identifier
      }
      return
    }
    let pairs = text.split(whereSeparator: { ",;&\n".contains($0) }).map {
      $0.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
    }
    if pairs.contains(where: { $0.count == 2 }) {
      var members = DocumentValue.Members()
      for pair in pairs where pair.count == 2 { members.append(pair[0], .text(pair[1])) }
      read(.object(members))
    } else if text.count <= 80 {
      name = text.trimmed
    }
  }

  private static let names = [
    "name", "username", "displayname", "nickname", "fullname", "nick", "participantname",
  ]
  private static let ids = ["id", "userid", "participantid", "email", "uid"]
  private static let nested = ["user", "data", "client", "clientdata", "participant", "context"]

  private mutating func read(_ document: DocumentValue) {
    let members = document.object?.all ?? []
    func find(_ keys: [String]) -> String? {
      for key in keys {
        for member in members where Self.plain(member.key) == key {
          if let text = member.value.identifier?.trimmed, !text.isEmpty { return text }
        }
      }
      return nil
    }
    let parts = [find(["firstname", "givenname"]), find(["lastname", "familyname", "surname"])]
    let joined = parts.compactMap { $0 }.joined(separator: " ")
    name = find(Self.names) ?? (joined.isEmpty ? nil : joined)
    id = find(Self.ids)
    guard name == nil else { return }
    for member in members where Self.nested.contains(Self.plain(member.key)) {
      let inner = ParticipantMetadata(member.value)
      name = name ?? inner.name
      id = id ?? inner.id
    }
    name = name ?? id
  }

  private init(_ document: DocumentValue) {
    // Reading one level of nesting is enough and bounds the recursion.
    if case .object(let members) = document {
      read(.object(members.withoutObjects))
    } else if let text = document.text, text.hasPrefix("{") {
      if let inner = try? DocumentValue(text, .json, file: ""), let members = inner.object {
        read(.object(members.withoutObjects))
      }
    } else {
      name = document.text
    }
  }

  /// Normalizes a key: `user_name` and `userName` are equal.
  private static func plain(_ key: String) -> String {
    key.lowercased().filter { $0.isLetter }
  }
}

extension DocumentValue.Members {
  /// The members whose values are neither objects nor text that may contain an object.
  fileprivate var withoutObjects: DocumentValue.Members {
    var members = DocumentValue.Members()
    for member in all where member.value.identifier.map({ !$0.hasPrefix("{") }) ?? false {
      members.append(member.key, member.value)
    }
    return members
  }
}

extension String {
  /// The text without leading and trailing blanks.
  var trimmed: String {
    var rest = self[...].drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
