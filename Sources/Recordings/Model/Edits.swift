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

  /// What is kept, and nothing else; empty is everything.
  package var keep: [Part] = []
  /// What is cut of that.
  package var cut: [Part] = []

  /// Everything is kept.
  package init() {}

  /// The most parts of each kind.
  package static let most = 100_000
  /// The version of files that are read and written.
  package static let version = 1

  /// Whether nothing is said.
  package var isEmpty: Bool { keep.isEmpty && cut.isEmpty }

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

  /// Takes `keep` and `cut` of an object, which has nothing else.
  init(_ cursor: inout DocumentCursor) throws(DocumentError) {
    keep = try cursor.parts("keep")
    cut = try cursor.parts("cut")
    try cursor.finish()
  }

  /// The object that says it, without a version.
  package var document: Document {
    var members = Document.Members()
    for (key, parts) in [("keep", keep), ("cut", cut)] where !parts.isEmpty {
      members.append(key, .list(parts.map(\.document)))
    }
    return .object(members)
  }

  /// The file that says it.
  package var text: String {
    var members = Document.Members()
    members.append("version", .number(Numeral(Self.version)))
    for member in document.object?.all ?? [] { members.append(member.key, member.value) }
    let yaml = Document.object(members).yaml
    return yaml.utf8.count <= Document.maximumYAMLSize
      ? yaml : Document.object(members).json(isIndented: true) + "\n"
  }
}

extension Edits.Part {
  fileprivate var document: Document {
    var members = Document.Members()
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
    guard cursors.count <= Edits.most else {
      throw wrong(key, "has \(cursors.count) parts; at most \(Edits.most) are read")
    }
    var parts: [Edits.Part] = []
    for var cursor in cursors {
      let (from, to) = (try cursor.timelineTime("from"), try cursor.timelineTime("to"))
      guard from != nil || to != nil else {
        throw cursor.wrong("from", "is missing, and so is to: give one of them, or both")
      }
      if let to, to <= from ?? .zero {
        throw cursor.wrong(
          "to", "has to be after from, which is \((from ?? .zero).clockWithTenths)")
      }
      parts.append(Edits.Part(from: from, to: to, reason: try cursor.text("reason")))
      try cursor.finish()
    }
    if let (first, second) = Edits.overlap(of: parts) {
      throw wrong(key, "has parts that overlap: \(first) and \(second)")
    }
    return parts
  }
}
