internal import ArgumentParser

@main struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera-bench", abstract: "Measure the hot path.",
    subcommands: [KernelsCommand.self, ComposeCommand.self])
}
