import ArgumentParser

/// Who of the call is in it, and where their recordings are laid.
struct CallPartOptions: ParsableArguments {
  @OptionGroup
  var source: SourceOptions

  @Option("only") var only: [String]
  @Option("exclude") var exclude: [String]
  @Option("hide") var hide: [String]
  @Option("tiles") var tiles: String?
  @Option("offset") var offset: [String]
  @Option("gain") var gain: [String]

  @OptionGroup
  var alignment: AlignOption

  @Flag("trim-idle") var trimIdle: Bool?
}

/// How recordings are laid against each other.
struct AlignOption: ParsableArguments {
  @Option("align") var align: String?
}
