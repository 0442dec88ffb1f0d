import ArgumentParser

/// `tessera inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Tells what recordings hold and what is wrong with them.")
}
