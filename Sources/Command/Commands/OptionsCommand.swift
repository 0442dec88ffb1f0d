import ArgumentParser
import Foundation
import TesseraLayout
import TesseraRequest

/// `tessera options`.
struct OptionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "options",
    abstract: "Lists the options of a render in the form of a document.",
    shouldDisplay: false)

  enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case markdown, schema, layouts
  }

  @Argument(help: "Form of the list.")
  var form: ListFormat

  func run() throws {
    let text =
      switch form {
      case .markdown: OptionListGenerator.markdown
      case .schema: OptionListGenerator.schema + "\n"
      case .layouts: LayoutCatalog.markdown
      }
    try StandardOutput.write(Data(text.utf8))
  }
}
