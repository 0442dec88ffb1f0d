import Foundation
import TestSupport
import Testing

@Suite(.timed) struct ForkServerTests {
  @Test(
    "Forked workers receive their arguments and files and nothing else of the command; their threads share locks"
  )
  func workers() throws {
    let run = try Tool.run(
      "timeout",
      ["60", "env", "WORD=secret", HelperProgram.path, "forks", "a secret", "another secret"])
    #expect(run.status == 0)
    let lines = run.text.split(separator: "\n")
    try #require(lines.count == 20)
    for (number, line) in lines.enumerated() {
      let end = number == 19 ? "signal(9)" : "exit(\(number))"
      #expect(
        line == """
          \(end) ["work", "\(number)", "a b", ""] parent true group true files 3 secrets [] \
          path true word false
          """)
    }
  }
}
