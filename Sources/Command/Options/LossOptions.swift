import ArgumentParser

/// What is said of losses that were named and left everything else whole.
struct LossOptions: ParsableArguments {
  @Flag(name: .customLong("accept-losses"), help: "Exit with 0, not 3, where something was lost.")
  var areAccepted = false
}
