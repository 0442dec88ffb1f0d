import ArgumentParser

/// Options for the participants to render, and for the placement of their recordings in time.
struct ParticipantOptions: ParsableArguments {
  @OptionGroup
  var source: SourceOptions

  @Option("only") var only: [String]
  @Option("exclude") var exclude: [String]
  @Option("hide") var hide: [String]
  @Option("tiles") var tiles: String?
  @Option("offset") var offset: [String]
  @Option("gain") var gain: [String]

  @OptionGroup
  var alignment: AlignmentOption

  @Flag("trim-idle") var trimIdle: Bool?
}

/// The option `--align`: the method that aligns recordings with each other.
struct AlignmentOption: ParsableArguments {
  @Option("align") var align: String?
}
