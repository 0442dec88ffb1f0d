import Tessera

/// Renders a recording, to test that a package can depend on the library. LibraryTests covers the
/// library itself.
@main enum Sample {
  static func main() async throws {
    let (input, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
    var request = RenderRequest(input, to: output)
    request.outputDefaults.size = ProposedSize(width: 160, height: 240)
    request.outputDefaults.to = MediaTime(seconds: 2)
    let plan = try await Tessera.plan(request)
    print("planned: \(plan.duration) s of \(plan.participants.count) people")
    for try await case .finished(let result) in Tessera.render(request) {
      print("made: \(result.completedReports.count), whole: \(result.isComplete)")
    }
  }
}
