package import TesseraDocuments
import TesseraMessages
package import TesseraTimeline

/// The parts of a call to keep, cut and mute, as an edits file lists them: times of the call with
/// reasons.
package struct EditList: Hashable, Sendable, Codable {
  /// A part of a call, with the reason to keep or cut it.
  package struct EditedRange: Hashable, Sendable, Codable {
    /// The start; `nil` for the beginning of the call.
    package var from: MediaTime?
    /// The end; `nil` for the end of the call.
    package var to: MediaTime?
    package var reason: String?

    package init(from: MediaTime?, to: MediaTime?, reason: String? = nil) {
      (self.from, self.to, self.reason) = (from, to, reason)
    }

    /// The part's range on the timeline; an open end is the largest time.
    package var range: TimeRange {
      TimeRange(start: from ?? .zero, end: to ?? MediaTime(nanoseconds: .max))
    }
  }

  /// A part of a call in which one participant is muted.
  package struct MutedRange: Hashable, Sendable, Codable {
    /// The participant, by any of its names.
    package var person: String
    /// The start; `nil` for the beginning of the call.
    package var from: MediaTime?
    /// The end; `nil` for the end of the call.
    package var to: MediaTime?
    package var reason: String?
    /// The edits file with this part, for messages; `nil` for a session file.
    package var file: String?

    package init(_ person: String, _ part: EditedRange) {
      (self.person, from, to, reason) = (person, part.from, part.to, part.reason)
    }

    package var part: EditedRange { EditedRange(from: from, to: to, reason: reason) }
  }

  /// The only parts to keep; empty for the whole call.
  package var keep: [EditedRange] = []
  /// The parts to cut from the kept ones.
  package var cut: [EditedRange] = []
  /// The parts in which single participants are muted while all others stay audible.
  package var mute: [MutedRange] = []

  /// Creates edits that keep everything.
  package init() {}

  /// The maximum number of parts of each kind.
  package static let most = 100_000
  /// The version of the file format.
  package static let version = 1

  /// True if nothing is kept, cut or muted explicitly.
  package var isEmpty: Bool { keep.isEmpty && cut.isEmpty && mute.isEmpty }

  /// The remaining parts of the call: ``keep`` without ``cut``.
  package var list: KeptRanges {
    let kept = keep.isEmpty ? .whole : KeptRanges(keeping: keep.map(\.range))
    return kept.intersection(KeptRanges(cutting: cut.map(\.range)))
  }

  /// Returns the first two of `parts`, in order of time, that overlap; `nil` if none do.
  package static func overlap(of parts: [EditedRange]) -> (EditedRange, EditedRange)? {
    let sorted = parts.sorted { $0.range.start < $1.range.start }
    return zip(sorted, sorted.dropFirst()).first { $0.range.end > $1.range.start }
  }
}

extension EditList.EditedRange: CustomStringConvertible {
  package var description: String { "\(from.map { "\($0)" } ?? "")-\(to.map { "\($0)" } ?? "")" }
}

extension EditList {
  /// Reads an edits file: an object with `version`, `keep`, `cut` and `mute`.
  ///
  /// - Throws: one sentence that names `file` and the wrong member.
  package init(_ document: DocumentValue, file: String) throws(DocumentError) {
    var cursor = try DocumentMemberReader(document, file: file, kind: "a file of edits")
    let version = cursor.take("version")
    guard version?.numeral?.integer == Self.version else {
      throw DocumentError(
        file: file, path: "version",
        reason: version == nil
          ? "is missing: begin with \"version: \(Self.version)\""
          : "must be \(Self.version), the supported version")
    }
    _ = cursor.take("made-by")
    try self.init(&cursor)
  }

  /// Takes `keep`, `cut` and `mute` of an object and refuses other members.
  ///
  /// Only `maybe` is ignored: it lists suggestions, which are not cut.
  init(_ cursor: inout DocumentMemberReader) throws(DocumentError) {
    keep = try cursor.parts("keep")
    cut = try cursor.parts("cut")
    mute = try cursor.mutes("mute")
    cursor.ignore("maybe")
    try cursor.finish()
  }

  /// The edits as an object without a version.
  package var document: DocumentValue {
    var members = DocumentValue.Members()
    for (key, parts) in [("keep", keep), ("cut", cut)] where !parts.isEmpty {
      members.append(key, .list(parts.map { $0.document() }))
    }
    if !mute.isEmpty {
      members.append("mute", .list(mute.map { $0.part.document(of: $0.person) }))
    }
    return .object(members)
  }

  /// The edits as the text of an edits file.
  package var text: String { text(maybe: []) }

  /// Returns the edits as the text of an edits file, with suggested cuts under `maybe`.
  ///
  /// The text is YAML, or JSON where YAML would exceed `DocumentValue.maximumYAMLSize`.
  package func text(maybe: [EditedRange]) -> String {
    var members = DocumentValue.Members()
    members.append("version", .number(DecimalLiteral(Self.version)))
    for member in document.object?.all ?? [] { members.append(member.key, member.value) }
    if !maybe.isEmpty { members.append("maybe", .list(maybe.map { $0.document() })) }
    let yaml = DocumentValue.object(members).yaml
    return yaml.utf8.count <= DocumentValue.maximumYAMLSize
      ? yaml : DocumentValue.object(members).json(isIndented: true) + "\n"
  }
}

extension EditList.EditedRange {
  fileprivate func document(of person: String? = nil) -> DocumentValue {
    var members = DocumentValue.Members()
    if let person { members.append("person", .text(person)) }
    if let from { members.append("from", DocumentValue(from)) }
    if let to { members.append("to", DocumentValue(to)) }
    if let reason { members.append("reason", .text(reason)) }
    return .object(members)
  }
}

extension DocumentMemberReader {
  /// Takes a list of parts of a call.
  ///
  /// - Throws: if two of them overlap.
  fileprivate mutating func parts(_ key: String) throws(DocumentError) -> [EditList.EditedRange] {
    let cursors = try objects(key) ?? []
    try refuseTooMany(cursors.count, key)
    var parts: [EditList.EditedRange] = []
    for var cursor in cursors {
      parts.append(try cursor.part())
      try cursor.finish()
    }
    if let (first, second) = EditList.overlap(of: parts) {
      throw wrong(key, "has parts that overlap: \(first) and \(second): give one for both")
    }
    return parts
  }

  /// Takes a list of muted parts, each with its participant.
  fileprivate mutating func mutes(_ key: String) throws(DocumentError) -> [EditList.MutedRange] {
    let cursors = try objects(key) ?? []
    try refuseTooMany(cursors.count, key)
    var mutes: [EditList.MutedRange] = []
    for var cursor in cursors {
      let person = try cursor.required(try cursor.identifier("person"), "person")
      mutes.append(EditList.MutedRange(person, try cursor.part()))
      try cursor.finish()
    }
    return mutes
  }

  private func refuseTooMany(_ count: Int, _ key: String) throws(DocumentError) {
    guard count <= EditList.most else {
      throw wrong(key, "has \(count) parts; at most \(EditList.most) are read")
    }
  }

  /// Takes the times and the reason of a part.
  private mutating func part() throws(DocumentError) -> EditList.EditedRange {
    let (from, to) = (try timelineTime("from"), try timelineTime("to"))
    guard from != nil || to != nil else {
      throw wrong("from", "and \"to\" are both missing: give at least one of them")
    }
    if let to, to <= from ?? .zero {
      throw wrong("to", "has to be after from, which is \((from ?? .zero).clockWithTenths)")
    }
    return EditList.EditedRange(from: from, to: to, reason: try text("reason"))
  }
}
