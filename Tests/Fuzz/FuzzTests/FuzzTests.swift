import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Passes thousands of damaged inputs to every parser. By default the run is short and seeded.
/// `TESSERA_FUZZ_SECONDS` sets the time for each parser, `TESSERA_FUZZ_SEED` the seed (default:
/// random), and `TESSERA_FUZZ_INPUT` the file that receives the current input.
@Suite(.serialized) struct FuzzTests {
  private static let corpus = SourceTree.root.appending(path: "Fixtures/fuzz")

  private static func inputs(_ target: FuzzTarget) throws -> [[UInt8]] {
    let folder = corpus.appending(path: target.rawValue).path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try names.map { Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }
  }

  @Test(arguments: FuzzTarget.allCases) func damagedInputsGiveResultsOrErrors(
    target: FuzzTarget
  ) throws {
    let corpus = try Self.inputs(target)
    try #require(!corpus.isEmpty)
    for input in corpus { target.run(input) }
    let environment = ProcessInfo.processInfo.environment
    guard let seconds = environment["TESSERA_FUZZ_SECONDS"].flatMap(Double.init) else {
      var mutation = Mutation(corpus, seed: 1)
      for _ in 0..<(target == .zip ? 100 : 400) { target.run(mutation.next()) }
      return
    }
    let seed =
      environment["TESSERA_FUZZ_SEED"].flatMap(UInt64.init)
      ?? UInt64(Date().timeIntervalSince1970 * 1000)
    var mutation = Mutation(corpus, seed: seed)
    let end = Date(timeIntervalSinceNow: seconds)
    var (count, slowest) = (0, 0.0)
    while Date() < end {
      let input = mutation.next()
      if let path = environment["TESSERA_FUZZ_INPUT"] {
        try Data(input).write(to: URL(fileURLWithPath: "\(path).\(target.rawValue)"))
      }
      let start = Date()
      target.run(input)
      count += 1
      slowest = max(slowest, -start.timeIntervalSinceNow)
    }
    print("fuzz \(target.rawValue): \(count) inputs from seed \(seed), slowest \(slowest) s")
  }
}
