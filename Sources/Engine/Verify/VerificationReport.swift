package import TesseraMessages

/// The result of checking one finished file, or one part of a stream.
package struct VerificationReport: Sendable, Codable {
  /// The path of the output.
  package var output: String
  /// The checked part of a stream: the folder of a size or of the sound; `nil` for a file.
  package var part: String?
  /// True if the output was compared with its proof.
  package var isProven: Bool
  /// The checks, in the order of ``Subject`` after ``sort()``.
  package var checks: [Check] = []

  /// The aspects of a file that are checked.
  package enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
    /// The container: streams, color tags, position of the index.
    case container
    /// The lengths of the streams, and their common start and end.
    case length
    /// The frames: each present, once, at its time.
    case frames
    /// The order: each frame shows the picture composed for it.
    case order
    /// The tiles: each shows the right participant.
    case people
    /// The motion: pictures move when they should.
    case motion
    /// The whole canvas: brightness, colors and parts.
    case canvas
    /// The legibility of names.
    case names
    /// The timing of sound.
    case place
    /// The loudness of sound compared with the mix.
    case level
    /// Clipping and the true peak of sound.
    case peaks
    /// The chapters and the title.
    case chapters
    case captions
    /// Errors of the decoders.
    case decoding
  }

  /// The outcome of checking one subject.
  package struct Check: Sendable, Codable {
    package var subject: Subject
    /// The measured values in words; `nil` if none are worth printing.
    package var measured: String?
    /// The deviations, at most ``VerificationReport/mostFindings``.
    package var findings: [Finding] = []
    /// Observations that may be intended, at most ``VerificationReport/mostFindings``.
    package var remarks: [Finding] = []
    /// The total number of findings, including those not kept.
    package var count = 0

    /// True if nothing deviates.
    package var hasPassed: Bool { count == 0 }
  }

  /// A deviation or an observation.
  package struct Finding: Hashable, Sendable, Codable {
    /// The range in the output, in seconds; `nil` for all of it.
    package var (start, end): (Double?, Double?)
    /// The participant concerned, by name.
    package var person: String?
    /// The finding in words.
    package var text: UserMessage
    /// The measured value and the allowed one, in the unit of the check.
    package var (measured, limit): (Double?, Double?)
  }

  /// The maximum number of findings kept for one subject.
  package static let mostFindings = 100

  /// True if no check found a deviation.
  package var hasPassed: Bool { checks.allSatisfy(\.hasPassed) }

  /// The output's path with the part, as people read it.
  package var title: UserMessage { "\(file: output)\(part.map { ", \($0)" } ?? "")" }

  /// Adds a check of `subject`, or updates its measured values. Returns the check's index.
  @discardableResult
  mutating func look(at subject: Subject, _ measured: String? = nil) -> Int {
    guard let place = checks.firstIndex(where: { $0.subject == subject }) else {
      checks.append(Check(subject: subject, measured: measured))
      return checks.count - 1
    }
    checks[place].measured = measured ?? checks[place].measured
    return place
  }

  /// Adds a deviation between `start` and `end`, in seconds. Beyond ``mostFindings`` it is only
  /// counted.
  mutating func note(
    _ subject: Subject, from start: Double? = nil, to end: Double? = nil, _ text: UserMessage,
    person: String? = nil, measured: Double? = nil, limit: Double? = nil
  ) {
    let place = look(at: subject)
    checks[place].count += 1
    guard checks[place].findings.count < Self.mostFindings else { return }
    checks[place].findings.append(
      Finding(
        start: start, end: end, person: person, text: text, measured: measured, limit: limit))
  }

  /// Adds an observation to the check of `subject`. Observations may be intended and do not make
  /// the file wrong.
  mutating func remark(_ subject: Subject, from start: Double, to end: Double, _ text: UserMessage)
  {
    let place = look(at: subject)
    guard checks[place].remarks.count < Self.mostFindings else { return }
    checks[place].remarks.append(
      Finding(start: start, end: end, person: nil, text: text, measured: nil, limit: nil))
  }

  /// Sorts checks by subject and their findings by time.
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
