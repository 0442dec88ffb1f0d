import TesseraDocuments
import TesseraJobs
import TesseraPlan
import TesseraRecordings

/// The command line of the main output, and what it becomes for another one.
struct OutputWords {
  /// How many words follow an option.
  private enum Arity {
    case one
    /// One, unless another option follows.
    case perhaps
    /// All up to the next option.
    case several
    /// One, and the option may be repeated.
    case repeated
  }

  /// The options that say what is made.
  private static let own: [String: Arity] = {
    let one = [
      "layout", "size", "fps", "filter", "fit", "gap", "transition", "max-tiles", "focus", "tiles",
      "theme", "names", "highlight-speaker", "corner-radius", "background", "watermark",
      "title-card", "captions", "freeze-after", "encoder", "preset", "crf", "loudness", "duck",
      "audio-encoder", "audio-channels", "audio-bitrate", "title", "chapters", "from", "to",
    ]
    var own = Dictionary(uniqueKeysWithValues: one.map { ($0, Arity.one) })
    for name in ["only", "exclude", "hide", "only-sound", "exclude-sound"] { own[name] = .several }
    for name in ["fit-focus", "encoder-option", "captions-track"] { own[name] = .repeated }
    own["clock"] = .perhaps
    return own
  }()

  /// The options that say what is made.
  static var names: [String] { own.keys.sorted() }

  /// The options that say what happened in the call.
  static let callNames = [
    "align", "allow-missing", "audio-track", "format", "gain", "local", "max-archive-size",
    "max-duration", "no-trim-idle", "offset", "people", "speaker-source", "transcript", "trim-idle",
  ]

  /// The words after the command.
  private let words: [String]

  /// What a command's `words` are, without its name.
  init(_ words: some Sequence<String>) { self.words = Array(words) }

  /// The words for `wish`, without an output; options that are `unsuitable` are left out unless the
  /// wish names them. `all` are all options of the command, as its help has them.
  ///
  /// Throws where an option is unknown, or says nothing about one output.
  func words(
    for wish: OutputWish, without unsuitable: Set<String> = [], all: String
  ) throws(RenderError) -> [String] {
    var added: [String] = []
    for option in wish.options {
      guard let arity = Self.own[option.name] else { throw Self.refusal(option.name, wish, all) }
      added += try Self.words(option, arity, wish)
    }
    let named = Set(wish.options.map(\.name))
    let kept = words(without: named.union(unsuitable).union(["also", "outputs", "output"]))
    let end = kept.firstIndex(of: "--") ?? kept.count
    return kept[..<end] + added + kept[end...]
  }

  private static func words(
    _ option: OutputWish.Option, _ arity: Arity, _ wish: OutputWish
  ) throws(RenderError) -> [String] {
    let name = "--\(option.name)"
    switch arity {
    case .several where !option.values.isEmpty: return [name] + option.values
    case .repeated where !option.values.isEmpty: return option.values.map { "\(name)=\($0)" }
    case .perhaps where option.values.isEmpty || option.values == ["on"]: return [name]
    case .perhaps where option.values == ["off"]: return []
    case .one where !option.values.isEmpty, .perhaps:
      return ["\(name)=\(option.values.joined(separator: ","))"]
    default:
      throw RenderError(
        .usage, "\(wish.file): \(option.name) has no value; write \(option.name)=… .")
    }
  }

  private static func refusal(_ name: String, _ wish: OutputWish, _ all: String) -> RenderError {
    if callNames.contains(name) {
      return RenderError(
        .usage,
        "\(wish.file): \(name) describes the call, which is the same for all outputs; give --\(name) "
          + "beside them.")
    }
    if all.contains("--\(name) ") || all.contains("--\(name)\n") {
      return RenderError(
        .usage,
        "\(wish.file): \(name) is about the whole render; give --\(name) beside the outputs.")
    }
    let hint =
      name.nearest(among: names).map { "did you mean \"\($0)\"?" }
      ?? "the options are \(names.joined(separator: ", "))."
    return RenderError(.usage, "\(wish.file): the option \"\(name)\" is unknown: \(hint)")
  }

  /// The words without those of the options that have these names, which are without dashes.
  private func words(without names: Set<String>) -> [String] {
    var (kept, rest) = ([String](), words[...])
    while let word = rest.popFirst() {
      guard word != "--" else { return kept + [word] + rest }
      guard let (name, hasValue) = Self.option(word), names.contains(name) else {
        kept.append(word)
        continue
      }
      guard !hasValue else { continue }
      switch Self.own[name] ?? .one {
      case .one, .repeated: _ = rest.popFirst()
      case .perhaps: if rest.first?.hasPrefix("-") == false { rest.removeFirst() }
      case .several: rest = rest.drop { !$0.hasPrefix("-") }
      }
    }
    return kept
  }

  /// The option that a word names, and whether its value is in the word.
  private static func option(_ word: String) -> (name: String, hasValue: Bool)? {
    if word == "-o" { return ("output", false) }
    if word.hasPrefix("-o") { return ("output", true) }
    guard word.hasPrefix("--") else { return nil }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    return (String(name), name.endIndex < word.endIndex)
  }
}
