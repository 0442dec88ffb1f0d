import ArgumentParser

/// Options for reading a call: format, participants, archives, streams and channels.
struct SourceOptions: ParsableArguments {
  @Option("format") var format: String?
  @Option("people") var people: String?
  @Option("max-archive-size") var maxArchiveSize: String?
  @Option("streams") var streams: String?
  @Option("channels") var channels: String?

  @OptionGroup(title: "Fetching")
  var fetch: FetchOptions
}
