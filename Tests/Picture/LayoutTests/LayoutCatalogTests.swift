import Foundation
import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct LayoutCatalogTests {
  @Test(arguments: LayoutCatalog.names) func everyLayoutIsFound(name: String) throws {
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
    ("MultipartyLayout", #"unknown layout "MultipartyLayout": did you mean "multiparty"?"#),
    ("picture-in-picture", #"unknown layout "picture-in-picture": did you mean "pip"?"#),
    ("flow:itemSize=50", #"layout "flow" has no option "itemSize": did you mean "width"?"#),
    (
      "flow:estimatedItemSize=50",
      #"layout "flow" has no option "estimatedItemSize": did you mean "estimated-aspect"?"#
    ),
    (
      "prominent:minimumLineSpacing=5",
      #"layout "prominent" has no option "minimumLineSpacing": did you mean "spacing"?"#
    ),
    ("multiparty:columns=2", #"layout "multiparty" has no options: remove "columns"."#),
  ])
  func invalidNamesAndOptionsAreRefused(text: String, sentence: String) {
    let message = message { _ = try LayoutCatalog.policy(text) }
    #expect(message == sentence)
  }

  @Test(arguments: LayoutCatalog.layouts.map(\.name)) func everyOptionIsListed(name: String) throws
  {
    let layout = try #require(LayoutCatalog.layouts.first { $0.name == name })
    for option in layout.options {
      #expect(!option.meaning.isEmpty && !option.values.isEmpty && !option.standard.isEmpty)
      // The listed values are accepted.
      for value in option.values.components(separatedBy: " or ") where !value.contains(" to ") {
        #expect(throws: Never.self) {
          try LayoutCatalog.policy("\(name):\(option.key)=\(value)")
        }
      }
      let ends = option.values.components(separatedBy: " to ").compactMap(Double.init)
      for end in ends where ends.count == 2 {
        let text = end == end.rounded() ? "\(Int(end))" : "\(end)"
        #expect(throws: Never.self) { try LayoutCatalog.policy("\(name):\(option.key)=\(text)") }
        let outside = end == ends[0] ? end - 1 : end + 1
        #expect(throws: LayoutError.self) {
          try LayoutCatalog.policy("\(name):\(option.key)=\(outside)")
        }
      }
    }
  }

  @Test func unknownNamesGetAListOfLayouts() {
    let message = message { _ = try LayoutCatalog.policy("kaleidoscope") }
    let start = #"unknown layout "kaleidoscope": the layouts are auto, grid, "#
    #expect(message?.hasPrefix(start) == true)
  }
}

/// Returns the message of the error that `body` throws, or `nil`.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
