package import TesseraMessages
import TesseraTimeline

extension VerificationReport {
  /// The findings, one sentence each.
  package var sentences: [UserMessage] {
    checks.flatMap { check in
      check.findings.map(\.sentence)
        + (check.count > check.findings.count
          ? ["and \(check.count - check.findings.count) more of \(check.subject.rawValue)."] : [])
    }
  }

  /// The whole verdict as text for people.
  package var text: String {
    let width = checks.map(\.subject.rawValue.count).max() ?? 0
    var lines = [
      "\(title.commandLine)  \(hasPassed ? "right" : "deviates")"
        + (isProven ? "" : ", as far as can be told without a proof")
    ]
    for check in checks {
      let name = check.subject.rawValue
      let padded = name + String(repeating: " ", count: width - name.count)
      let count = check.count == 1 ? "1 deviation" : "\(check.count) deviations"
      let words = [check.hasPassed ? "right" : count, check.measured].compactMap(\.self)
      lines.append("  \(padded)  \(words.joined(separator: "; "))")
      lines += check.findings.map { "    \($0.sentence.commandLine)" }
      if check.count > check.findings.count {
        lines.append("    and \(check.count - check.findings.count) more")
      }
      lines += check.remarks.map { "    (\($0.sentence.commandLine))" }
    }
    return lines.joined(separator: "\n")
  }
}

extension VerificationReport.Finding {
  /// The finding as text: time, participant and deviation.
  package var sentence: UserMessage {
    var parts: [UserMessage] = []
    if let start {
      let isSpan = end.map { $0 - start >= 0.1 } ?? false
      parts.append(isSpan ? "\(clock(start))-\(clock(end ?? start))" : "\(clock(start))")
    }
    if let person { parts.append("\(person)") }
    return (parts + [text]).joined(separator: ": ")
  }

  private func clock(_ seconds: Double) -> String {
    MediaTime(nanoseconds: Int64(saturating: (seconds * 1e9).rounded())).clockWithTenths
  }
}
