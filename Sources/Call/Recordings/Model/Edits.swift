package import TesseraDocuments
package import TesseraTimeline

/// What of a call is kept and cut, as people write it down: times of the call, with a reason each.
package struct Edits: Hashable, Sendable, Codable {
  /// A part of a call.
  package struct Part: Hashable, Sendable, Codable {
    /// Where it begins; nil is the beginning of the call.
    package var from: MediaTime?
    /// Where it ends; nil is the end of the call.
    package var to: MediaTime?
    /// Why it is kept or cut.
    package var reason: String?

    /// The part from `from` to `to`.
    package init(from: MediaTime?, to: MediaTime?, reason: String? = nil) {
      (self.from, self.to, self.reason) = (from, to, reason)
    }

    /// Its times.
    package var range: TimeRange {
      TimeRange(start: from ?? .zero, end: to ?? MediaTime(nanoseconds: .max))
    }
  }

  /// When somebody is silent.
  package struct Mute: Hashable, Sendable, Codable {
    /// Who, by any of the person's names.
    package var person: String
    /// When it begins; nil is the beginning of the call.
    package var from: MediaTime?
    /// When it ends; nil is the end of the call.
    package var to: MediaTime?
    /// Why.
    package var reason: String?

    /// `person` is silent in `part`.
    package init(_ person: String, _ part: Part) {
      (self.person, from, to, reason) = (person, part.from, part.to, part.reason)
    }

    /// Its times and why.
    package var part: Part { Part(from: from, to: to, reason: reason) }
  }

  /// What is kept, and nothing else; empty is everything.
  package var keep: [Part] = []
  /// What is cut of that.
  package var cut: [Part] = []
  /// When people are silent while all others are heard.
  package var mute: [Mute] = []

  /// Everything is kept.
  package init() {}

  /// The most parts of each kind.
  package static let most = 100_000
  /// The version of files that are read and written.
  package static let version = 1

  /// Whether nothing is said.
  package var isEmpty: Bool { keep.isEmpty && cut.isEmpty && mute.isEmpty }

  /// What is left.
  package var list: CutList {
    let kept = keep.isEmpty ? .whole : CutList(keeping: keep.map(\.range))
    return kept.intersection(CutList(cutting: cut.map(\.range)))
  }

  /// The first two of `parts` that overlap, by their places in order of time; nil where none do.
  package static func overlap(of parts: [Part]) -> (Part, Part)? {
    let sorted = parts.sorted { $0.range.start < $1.range.start }
    return zip(sorted, sorted.dropFirst()).first { $0.range.end > $1.range.start }
  }
}

extension Edits.Part: CustomStringConvertible {
  package var description: String { "\(from.map { "\($0)" } ?? "")-\(to.map { "\($0)" } ?? "")" }
}

extension Edits {
  /// Reads a file of edits: an object with `version`, `keep` and `cut`.
  ///
  /// - Throws: one sentence that names `file` and what is wrong.
  package init(_ document: Document, file: String) throws(DocumentError) {
    var cursor = try DocumentCursor(document, file: file, kind: "a file of edits")
    let version = cursor.take("version")
    guard version?.numeral?.integer == Self.version else {
      throw DocumentError(
        file: file, path: "version",
        reason: version == nil
          ? "is missing: begin with \"version: \(Self.version)\""
          : "must be \(Self.version), the one that is read")
    }
    _ = cursor.take("made-by")
    try self.init(&cursor)
  }

  /// Takes `keep`, `cut` and `mute` of an object, which has nothing else but `maybe`: what somebody
  /// may want to cut, and which is not.
  init(_ cursor: inout DocumentCursor) throws(DocumentError) {
    keep = try cursor.parts("keep")
    cut = try cursor.parts("cut")
    mute = try cursor.mutes("mute")
    cursor.ignore("maybe")
    try cursor.finish()
  }

  /// The object that says it, without a version.
  package var document: Document {
    var members = Document.Members()
    for (key, parts) in [("keep", keep), ("cut", cut)] where !parts.isEmpty {
      members.append(key, .list(parts.map { $0.document() }))
    }
    if !mute.isEmpty {
      members.append("mute", .list(mute.map { $0.part.document(of: $0.person) }))
    }
    return .object(members)
  }

  /// The file that says it.
  package var text: String { text(maybe: []) }

  /// The file that says it, with what somebody may want to cut, too.
  package func text(maybe: [Part]) -> String {
    var members = Document.Members()
    members.append("version", .number(Numeral(Self.version)))
    for member in document.object?.all ?? [] { members.append(member.key, member.value) }
    if !maybe.isEmpty { members.append("maybe", .list(maybe.map { $0.document() })) }
    let yaml = Document.object(members).yaml
    return yaml.utf8.count <= Document.maximumYAMLSize
      ? yaml : Document.object(members).json(isIndented: true) + "\n"
  }
}

extension Edits.Part {
  fileprivate func document(of person: String? = nil) -> Document {
    var members = Document.Members()
    if let person { members.append("person", .text(person)) }
    if let from { members.append("from", Document(from)) }
    if let to { members.append("to", Document(to)) }
    if let reason { members.append("reason", .text(reason)) }
    return .object(members)
  }
}

extension DocumentCursor {
  /// Takes a list of parts of a call, none of which overlap.
  fileprivate mutating func parts(_ key: String) throws(DocumentError) -> [Edits.Part] {
    let cursors = try objects(key) ?? []
    try refuseTooMany(cursors.count, key)
    var parts: [Edits.Part] = []
    for var cursor in cursors {
      parts.append(try cursor.part())
      try cursor.finish()
    }
    if let (first, second) = Edits.overlap(of: parts) {
      throw wrong(key, "has parts that overlap: \(first) and \(second)")
    }
    return parts
  }

  /// Takes a list of people and when they are silent.
  fileprivate mutating func mutes(_ key: String) throws(DocumentError) -> [Edits.Mute] {
    let cursors = try objects(key) ?? []
    try refuseTooMany(cursors.count, key)
    var mutes: [Edits.Mute] = []
    for var cursor in cursors {
      let person = try cursor.required(try cursor.identifier("person"), "person")
      mutes.append(Edits.Mute(person, try cursor.part()))
      try cursor.finish()
    }
    return mutes
  }

  private func refuseTooMany(_ count: Int, _ key: String) throws(DocumentError) {
    guard count <= Edits.most else {
      throw wrong(key, "has \(count) parts; at most \(Edits.most) are read")
    }
  }

  /// Takes the times of a part and its reason.
  private mutating func part() throws(DocumentError) -> Edits.Part {
    let (from, to) = (try timelineTime("from"), try timelineTime("to"))
    guard from != nil || to != nil else {
      throw wrong("from", "is missing, and so is to: give one of them, or both")
    }
    if let to, to <= from ?? .zero {
      throw wrong("to", "has to be after from, which is \((from ?? .zero).clockWithTenths)")
    }
    return Edits.Part(from: from, to: to, reason: try text("reason"))
  }
}
