import ArgumentParser

/// Options for everything drawn around the pictures: theme, names, background, overlays.
struct AppearanceOptions: ParsableArguments {
  @Option("theme") var theme: String?
  @Option("names") var names: String?
  @Option("highlight-speaker") var highlightSpeaker: String?
  @Option("corner-radius") var cornerRadius: String?
  @Option("background") var background: String?
  @Option("frame") var frame: String?
  @Option("fit-focus") var fitFocus: [String]
  @Option("watermark") var watermark: String?
  @Option("title-card") var titleCard: String?
  @Option("clock", without: ClockOptionArgument("call")) var clock: ClockOptionArgument?
  @Option("captions") var captions: String?
  @Option("freeze-after") var freezeAfter: String?
}
