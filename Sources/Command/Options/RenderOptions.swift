import ArgumentParser

/// All that a render can be asked for but inputs, the main output and the machine's share, which a
/// batch has of its own.
struct RenderOptions: ParsableArguments {
  @OptionGroup
  var picture: PictureOptions

  @OptionGroup
  var encoding: EncodingOptions

  @OptionGroup(title: "Outputs")
  var others: OutputsOptions

  @OptionGroup(title: "Part")
  var range: RangeOptions

  @OptionGroup(title: "Machine")
  var engine: EngineOptions

  @OptionGroup(title: "Beside the outputs")
  var beside: SidecarOptions

  @OptionGroup(title: "Losses and files")
  var rules: RuleOptions
}

/// What is written about the call beside its outputs.
struct SidecarOptions: ParsableArguments {
  @Option("report") var report: String?
  @Option("page") var page: String?

  @OptionGroup
  var pageOptions: PageOptions

  @Option("proof") var proof: String?
  @Option("stems") var stems: String?
  @Option("stem-format") var stemFormat: String?
}

/// What is an error.
struct RuleOptions: ParsableArguments {
  @Flag("strict") var strict = false
  @Flag("accept-losses") var acceptLosses = false
  @Flag("strict-notes") var strictNotes = false
  @Flag("allow-missing") var allowMissing = false
  @Flag("verify") var verify = false
  @Flag("overwrite") var overwrite = false
}
