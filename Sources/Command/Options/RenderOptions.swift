import ArgumentParser

/// All that a render can be asked for but inputs, the main output and the machine's share, which a
/// batch has of its own.
struct RenderOptions: ParsableArguments {
  @OptionGroup(title: "Picture")
  var picture: PictureOptions

  @OptionGroup(title: "Encoding")
  var encoding: EncodingOptions

  @OptionGroup(title: "Outputs")
  var others: OutputsOptions

  @OptionGroup(title: "Part")
  var range: RangeOptions

  @OptionGroup(title: "Means")
  var engine: EngineOptions

  @Flag("strict")
  var strict = false

  @Flag("accept-losses")
  var acceptLosses = false

  @Flag("strict-notes")
  var strictNotes = false

  @Flag("allow-missing")
  var allowMissing = false

  @Option("report")
  var report: String?

  @Option("page")
  var page: String?

  @OptionGroup(title: "Page")
  var pageOptions: PageOptions

  @Option("stems")
  var stems: String?

  @Option("stem-format")
  var stemFormat: String?

  @Flag("overwrite")
  var overwrite = false

  func validate() throws { try requireRows() }
}
