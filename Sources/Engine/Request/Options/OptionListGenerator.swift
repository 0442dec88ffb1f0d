/// Generates the lists of options for the guide and for the schema of session files.
package enum OptionListGenerator {
  private static let headings: [(OptionSubject, String)] = [
    (
      .output,
      "Outputs: also in --also, in lists of outputs, and in a session's canvas and outputs"
    ),
    (.call, "The call: the same for all its outputs"),
    (.render, "The render"),
  ]

  /// The Markdown tables of all options, one table for each subject.
  package static var markdown: String {
    headings.map { subject, heading in
      let rows = RenderRequest.rows.filter { $0.subject == subject }.map(\.row)
      let lines = rows.map { "| \(cell($0.usage)) | \(cell("\($0.help)", isCode: false)) |" }
      return "## \(heading)\n\n| Option | Meaning |\n|---|---|\n"
        + lines.joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// The output options as entries of the session schema, one JSON object per line.
  package static var schema: String {
    RenditionOptions.rows.map { row in
      "{ \"const\": \"\(row.name)\", \"description\": \"\(escaped(row.help))\" }"
    }.joined(separator: ",\n")
  }

  private static func cell(_ text: String, isCode: Bool = true) -> String {
    let text = text.replacing("|", with: "\\|")
    return isCode ? "`\(text)`" : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

extension OptionRow {
  /// The placeholder for the option's value in its usage.
  private var value: String {
    valueName ?? (choices.isEmpty ? name : choices.joined(separator: "|"))
  }

  /// The option's usage, such as `--size wxh`.
  package var usage: String {
    switch arity {
    case .one, .repeated: "--\(name) \(value)"
    case .several: "--\(name) \(value)…"
    case .flag: "--\(name)"
    case .deniableFlag: "--\(name), --no-\(name)"
    }
  }
}
