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

  enum Form: String, ExpressibleByArgument, CaseIterable {
    case markdown, schema, layouts
  }

  @Argument(help: "Form of the list.")
  var form: Form

  func run() throws {
    let text =
      switch form {
      case .markdown: OptionListing.markdown
      case .schema: OptionListing.schema + "\n"
      case .layouts: LayoutCatalog.markdown
      }
    try StandardOutput.write(Data(text.utf8))
  }
}
