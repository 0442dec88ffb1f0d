import ArgumentParser

/// How a command shows how far it is.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .customLong("progress"),
    help: """
      Form of progress on standard error: auto, bar, json (one object per line with type and phase; \
      the last one has the exit code) or none.
      """)
  var style = ProgressStyle.auto

  /// What shows it from now on.
  var printer: ProgressPrinter { ProgressPrinter(style) }
}
