/// The words of `tessera batch`: its own, and the options of render that hold for all jobs.
struct BatchWords {
  /// An option of render with its value; nil for a flag.
  struct Setting: Hashable, Sendable {
    var name: String
    var value: String?

    /// It as one word of a command line.
    var word: String { value.map { "--\(name)=\($0)" } ?? "--\(name)" }
  }

  /// What batch reads itself.
  private(set) var own: [String] = []
  /// What render is asked for in all jobs.
  private(set) var settings: [Setting] = []

  /// The words after `batch`, of which `own` and `render` are the options.
  init(_ words: [String], own table: OptionTable, render: OptionTable) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word != "--" else {
        own += [word] + rest
        return
      }
      if let known = table.entry(of: word) {
        own.append(word)
        if !known.entry.isFlag, known.value == nil, let value = rest.popFirst() {
          own.append(value)
        }
      } else if let known = render.entry(of: word) {
        settings += Self.settings(known.entry, known.value, &rest)
      } else {
        own.append(word)
      }
    }
  }

  private static func settings(
    _ entry: OptionTable.Entry, _ value: String?, _ rest: inout ArraySlice<String>
  ) -> [Setting] {
    if entry.isFlag { return [Setting(name: entry.name, value: nil)] }
    var values = [value].compactMap { $0 }
    if values.isEmpty, let next = rest.popFirst() { values.append(next) }
    if entry.takesMany {
      while let next = rest.first, !next.hasPrefix("-") {
        values.append(next)
        rest.removeFirst()
      }
    }
    return values.map { Setting(name: entry.name, value: $0) }
  }
}
