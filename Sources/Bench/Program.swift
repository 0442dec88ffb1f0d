internal import ArgumentParser

@main struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera-bench", abstract: "Measures the hot path and whole renders.",
    subcommands: [
      KernelsBenchmarkCommand.self, ComposeBenchmarkCommand.self, RenderBenchmarkCommand.self,
    ])
}
