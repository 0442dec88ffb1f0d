import ArgumentParser

/// The option `--progress`: the form in which a command reports its progress.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .customLong("progress"),
    help: """
      Form of progress on standard error: auto, bar, json (one object per line with type and phase; \
      the last one has the exit code) or none.
      """)
  var style = ProgressFormat.auto

  /// A new printer of the style that `--progress` selects.
  var printer: ProgressPrinter { ProgressPrinter(style) }
}

/// A command that shows how far it is.
protocol ProgressCommand: ParsableCommand {
  var progress: ProgressOptions { get }
}

extension CallCommand where Self: ProgressCommand {
  var printer: ProgressPrinter { progress.printer }
}
