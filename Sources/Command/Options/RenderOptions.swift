import ArgumentParser

/// All options of a render except inputs, the main output and the share of the machine, which a
/// batch declares itself.
struct RenderOptions: ParsableArguments {
  @OptionGroup
  var picture: PictureOptions

  @OptionGroup
  var encoding: EncodingOptions

  @OptionGroup(title: "Outputs")
  var others: AdditionalOutputsOptions

  @OptionGroup(title: "Part")
  var range: TimeRangeOptions

  @OptionGroup(title: "Machine")
  var engine: WorkFolderOptions

  @OptionGroup(title: "Beside the outputs")
  var beside: SidecarOptions

  @OptionGroup(title: "Losses and files")
  var rules: StrictnessOptions
}

/// Options for the files written beside an output: report, page, proof and stems.
struct SidecarOptions: ParsableArguments {
  @Option("report") var report: String?
  @Option("page") var page: String?

  @OptionGroup
  var pageOptions: PageOptions

  @Option("proof") var proof: String?
  @Option("stems") var stems: String?
  @Option("stem-format") var stemFormat: String?
}

/// Options that decide which findings are errors, and whether outputs are verified and existing
/// files replaced.
struct StrictnessOptions: ParsableArguments {
  @Flag("strict") var strict = false
  @Flag("accept-losses") var acceptLosses = false
  @Flag("strict-notes") var strictNotes = false
  @Flag("allow-missing") var allowMissing = false
  @Flag("verify") var verify = false
  @Flag("overwrite") var overwrite = false
}
