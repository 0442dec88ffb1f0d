import ArgumentParser
import TesseraDocuments
import TesseraJobs
import TesseraPlan
import TesseraRecordings

/// The command line of the main output, and what it becomes for another one.
struct OutputWords {
  /// The options that say what is made.
  static let names = [
    "audio-bitrate", "audio-channels", "audio-encoder", "background", "captions", "captions-track",
    "chapters", "clock", "corner-radius", "crf", "duck", "encoder", "encoder-option", "exclude",
    "exclude-sound", "filter", "fit", "fit-focus", "focus", "fps", "freeze-after", "from", "gap",
    "hide", "highlight-speaker", "layout", "loudness", "max-tiles", "names", "only", "only-sound",
    "preset", "size", "theme", "tiles", "title", "title-card", "to", "transition", "watermark",
  ]

  /// The options that say what happened in the call.
  static let callNames = [
    "align", "allow-missing", "audio-track", "format", "gain", "local", "max-archive-size",
    "max-duration", "no-trim-idle", "offset", "people", "speaker-source", "transcript", "trim-idle",
  ]

  /// The option that may stand without a value.
  private static let bare = "clock"

  /// The words after the command.
  private let words: [String]
  private let table: OptionTable

  /// What the words of `command` are, without its name.
  init(_ words: some Sequence<String>, of command: any ParsableCommand.Type) {
    (self.words, table) = (Array(words), OptionTable(of: command))
  }

  /// The words for `wish`, without an output; options that are `unsuitable` are left out unless the
  /// wish names them.
  ///
  /// - Throws: where an option is unknown, or says nothing about one output.
  func words(
    for wish: OutputWish, without unsuitable: Set<String> = []
  ) throws(RenderError) -> [String] {
    var added: [String] = []
    for option in wish.options { added += try words(option, wish) }
    let named = Set(wish.options.map(\.name))
    let kept = words(without: named.union(unsuitable).union(["also", "outputs", "output", "hls"]))
    let end = kept.firstIndex(of: "--") ?? kept.count
    return kept[..<end] + added + kept[end...]
  }

  private func words(
    _ option: OutputWish.Option, _ wish: OutputWish
  ) throws(RenderError) -> [String] {
    guard Self.names.contains(option.name), let entry = table[option.name] else {
      throw refusal(option.name, wish)
    }
    let name = "--\(option.name)"
    if option.name == Self.bare {
      if option.values.isEmpty || option.values == ["on"] { return [name] }
      if option.values == ["off"] { return [] }
    }
    guard !option.values.isEmpty else {
      throw RenderError(
        .usage, "\(wish.file): \(option.name) has no value; write \(option.name)=… .")
    }
    if entry.takesMany { return [name] + option.values }
    if entry.isRepeating { return option.values.map { "\(name)=\($0)" } }
    return ["\(name)=\(option.values.joined(separator: ","))"]
  }

  private func refusal(_ name: String, _ wish: OutputWish) -> RenderError {
    if Self.callNames.contains(name) {
      return RenderError(
        .usage,
        "\(wish.file): \(name) describes the call, which is the same for all outputs; give --\(name) "
          + "beside them.")
    }
    if table[name] != nil {
      return RenderError(
        .usage,
        "\(wish.file): \(name) is about the whole render; give --\(name) beside the outputs.")
    }
    let hint =
      name.nearest(among: Self.names).map { "did you mean \"\($0)\"?" }
      ?? "the options are \(Self.names.joined(separator: ", "))."
    return RenderError(.usage, "\(wish.file): the option \"\(name)\" is unknown: \(hint)")
  }

  /// The words without those of the options that have these names, which are without dashes.
  private func words(without names: Set<String>) -> [String] {
    var (kept, rest) = ([String](), words[...])
    while let word = rest.popFirst() {
      guard word != "--" else { return kept + [word] + rest }
      guard let (entry, value) = table.entry(of: word) else {
        kept.append(word)
        continue
      }
      var own = [word]
      if value == nil, !entry.isFlag { own += Self.values(of: entry, in: &rest) }
      if !names.contains(entry.name) { kept += own }
    }
    return kept
  }

  /// Takes the values of an option off the words after it.
  private static func values(
    of entry: OptionTable.Entry, in rest: inout ArraySlice<String>
  ) -> [String] {
    let next = rest.prefix { !$0.hasPrefix("-") }
    let count =
      entry.takesMany ? next.count : entry.name == bare ? min(1, next.count) : min(1, rest.count)
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }
}
