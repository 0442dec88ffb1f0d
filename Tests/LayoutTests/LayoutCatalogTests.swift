import TesseraLayout
import Testing

@Suite struct LayoutCatalogTests {
  @Test(arguments: LayoutCatalog.names) func findsEveryLayout(name: String) throws {
    let policy = try LayoutCatalog.policy(name)
    let context = LayoutContext(canvas: landscape, items: people(2))
    #expect(policy.prepare(context).attributes.count > 0)
  }

  @Test(arguments: [
    ("gird", #"unknown layout "gird": did you mean "grid"?"#),
    ("grid:colums=3", #"layout "grid" has no option "colums": did you mean "columns"?"#),
    (
      "grid:columns",
      #"layout "grid" cannot read the option "columns": write each as key=value, once."#
    ),
    (
      "grid:columns=x",
      #"layout "grid" cannot take columns=x: give a whole number from 1 to 100."#
    ),
    ("multiparty:columns=2", #"layout "multiparty" has no options: remove "columns"."#),
  ])
  func refusesInOneSentence(text: String, sentence: String) {
    let message = message { _ = try LayoutCatalog.policy(text) }
    #expect(message == sentence)
  }

  @Test func listsTheLayoutsWhereNoneIsNear() {
    let message = message { _ = try LayoutCatalog.policy("kaleidoscope") }
    let start = #"unknown layout "kaleidoscope": the layouts are auto, grid, "#
    #expect(message?.hasPrefix(start) == true)
  }
}

/// What `body` fails with, as a sentence; nil where it does not fail.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
