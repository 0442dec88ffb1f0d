import TesseraLayout
import TesseraLettering
import TesseraRecordings
import TestSupport
import Testing

/// Completion scripts for shells.
@Suite(.timed) struct CompletionTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func valuesAreCompleted(shell: String) throws {
    let result = try TesseraTool.run(["--generate-completion-script", shell])
    #expect(result.status == 0)
    let words = Set(
      result.text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "." }.map(String.init))
    let themes = Theme.builtIn.map(\.name)
    let fixed = [
      "contain", "lanczos", "speech", "broadcast", "webm", "flac", "processes", "clock", "events",
    ]
    for value in LayoutCatalog.names + themes + ImporterRegistry.formats + fixed {
      #expect(words.contains(value), "\(value)")
    }
  }
}
