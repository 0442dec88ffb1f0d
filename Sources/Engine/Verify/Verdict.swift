/// What was found of a finished file.
package struct Verdict: Sendable, Codable {
  /// The file.
  package var output: String
  /// The part of a stream that it is about: the folder of a size, or of the sound; nil of a file.
  package var part: String?
  /// Whether it was held against what was composed.
  package var isProven: Bool
  /// What was looked at, in a fixed order.
  package var checks: [Check] = []

  /// What is looked at.
  package enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
    /// What the container says: streams, colors, order of its parts.
    case container
    /// How long streams are, and whether they begin and end together.
    case length
    /// Whether every frame is there, once, in its place.
    case frames
    /// Whether each frame shows what was composed for its time.
    case order
    /// Whether the right person is in each tile.
    case people
    /// Whether pictures move where they should.
    case motion
    /// Whether all of the canvas looks as composed: light, colors, its parts.
    case canvas
    /// Whether names can be read.
    case names
    /// Whether sound is in its place.
    case place
    /// Whether sound is as loud as mixed.
    case level
    /// Whether sound is clipped.
    case peaks
    /// The chapters and the title.
    case chapters
    /// The captions.
    case captions
    /// What cannot be decoded.
    case decoding
  }

  /// What came of looking at something.
  package struct Check: Sendable, Codable {
    /// What was looked at.
    package var subject: Subject
    /// What was measured, in words; nil where nothing needs to be said.
    package var measured: String?
    /// What deviates, at most ``Verdict/mostFindings``.
    package var findings: [Finding] = []
    /// What is worth knowing, and may be meant, at most as many.
    package var remarks: [Finding] = []
    /// How many findings there are in all.
    package var count = 0

    /// Whether nothing deviates.
    package var isRight: Bool { count == 0 }
  }

  /// Something that deviates.
  package struct Finding: Hashable, Sendable, Codable {
    /// From when to when of the output, in seconds; nil for all of it.
    package var (start, end): (Double?, Double?)
    /// Whom it is about.
    package var person: String?
    /// What it is.
    package var text: String
    /// What was measured, and what is allowed.
    package var (measured, limit): (Double?, Double?)
  }

  /// The most findings of a subject that are kept.
  package static let mostFindings = 100

  /// Whether nothing deviates.
  package var isRight: Bool { checks.allSatisfy(\.isRight) }

  /// What is right so far.
  package init(_ output: String, part: String? = nil, isProven: Bool) {
    (self.output, self.part, self.isProven) = (output, part, isProven)
  }

  /// What it is about, for people.
  package var name: String { part.map { "\(output), \($0)" } ?? output }

  /// Notes that something was looked at, with what was measured.
  mutating func look(at subject: Subject, _ measured: String? = nil) {
    if let place = checks.firstIndex(where: { $0.subject == subject }) {
      checks[place].measured = measured ?? checks[place].measured
    } else {
      checks.append(Check(subject: subject, measured: measured))
    }
  }

  /// Notes that something deviates.
  mutating func note(_ subject: Subject, _ finding: Finding) {
    look(at: subject)
    guard let place = checks.firstIndex(where: { $0.subject == subject }) else { return }
    checks[place].count += 1
    if checks[place].findings.count < Self.mostFindings { checks[place].findings.append(finding) }
  }

  /// Notes that something deviates.
  mutating func note(
    _ subject: Subject, from start: Double? = nil, to end: Double? = nil, _ text: String,
    person: String? = nil, measured: Double? = nil, limit: Double? = nil
  ) {
    note(
      subject,
      Finding(
        start: start, end: end, person: person, text: text, measured: measured, limit: limit))
  }

  /// Notes what is worth knowing, and may be meant.
  mutating func remark(_ subject: Subject, from start: Double, to end: Double, _ text: String) {
    look(at: subject)
    guard let place = checks.firstIndex(where: { $0.subject == subject }),
      checks[place].remarks.count < Self.mostFindings
    else { return }
    checks[place].remarks.append(
      Finding(start: start, end: end, person: nil, text: text, measured: nil, limit: nil))
  }

  /// Puts everything into its order.
  mutating func sort() {
    checks.sort { first, second in
      let order = Subject.allCases
      return (order.firstIndex(of: first.subject) ?? 0)
        < (order.firstIndex(of: second.subject) ?? 0)
    }
    for place in checks.indices {
      checks[place].findings.sort { ($0.start ?? -1) < ($1.start ?? -1) }
    }
  }
}
