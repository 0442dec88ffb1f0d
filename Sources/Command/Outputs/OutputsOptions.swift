import ArgumentParser
import TesseraDocuments
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRecordings

/// What else is made of the call.
struct OutputsOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Make this file of the same call, too, with the options of the main output but for those that \
      are given here without their dashes; may be repeated. web/:hls=1080p,720p makes a folder for \
      HTTP Live Streaming, thumbs/:every=10 sheets of small pictures, poster.jpg[:at=t] a picture.
      """, valueName: "file[:option=value,…]"))
  var also: [AlsoOutput] = []

  @Option(
    help: ArgumentHelp(
      """
      Make a folder for HTTP Live Streaming instead of a file, with these sizes by their shorter \
      sides; the one to begin with first.
      """, valueName: "1080p,720p,…"))
  var hls: StreamRungs?

  @Option(
    help: ArgumentHelp(
      "A list of such outputs: objects with file and options.", valueName: "file.yaml|.json"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var outputs: String?

  /// The files that are read.
  var files: [String] { [outputs].compactMap { $0 } }

  /// The outputs that are asked for here.
  func wishes() throws(RenderError) -> [OutputWish] {
    guard let outputs else { return also.map(\.wish) }
    let bytes = try InputFile.read(outputs, "outputs")
    do throws(DocumentError) {
      let document = try Document(bytes, .yaml, file: outputs)
      return also.map(\.wish) + (try OutputWish.list(from: document, file: outputs))
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }
}

/// An output with its options: `phone.mp4:size=1080x1920,layout=speaker`.
struct AlsoOutput: ExpressibleByArgument {
  let wish: OutputWish

  /// Options begin after the first colon that a name and `=` follow. They are separated by commas; a
  /// part without `=` belongs to the value before it, and quotation marks around a value keep its
  /// commas. nil where there is no file, or a quotation mark is not closed.
  init?(argument: String) {
    var rest = argument[...]
    var options: [OutputWish.Option] = []
    if let colon = Self.colon(in: argument) {
      rest = argument[..<colon]
      guard let parts = Self.parts(argument[colon...].dropFirst()) else { return nil }
      for part in parts {
        if let sign = part.text.firstIndex(of: "="), Self.isName(part.text[..<sign]) {
          let value = part.text[part.text.index(after: sign)...]
          options.append(OutputWish.Option(String(part.text[..<sign]), [String(value)]))
        } else if options.isEmpty || part.text == "clock" {
          options.append(OutputWish.Option(part.text, []))
        } else if options[options.count - 1].values.isEmpty {
          return nil
        } else {
          options[options.count - 1].values.append(part.text)
        }
      }
    }
    guard !rest.isEmpty else { return nil }
    wish = OutputWish(String(rest), options)
  }

  /// The colon before the options; nil where there is none.
  static func colon(in text: String) -> String.Index? {
    text.indices.first { index in
      guard text[index] == ":" else { return false }
      let rest = text[index...].dropFirst()
      let name = rest.prefix { $0 != "=" && $0 != "," }
      return isName(name) && (name.endIndex < rest.endIndex || name == "clock")
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    text.first?.isLetter == true
      && text.utf8.allSatisfy { 97...122 ~= $0 || $0 == UInt8(ascii: "-") }
  }

  /// What stands between commas, without quotation marks.
  private static func parts(_ text: Substring) -> [(text: String, Void)]? {
    var (parts, isQuoted) = ([""], false)
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
    }
    return isQuoted ? nil : parts.map { ($0, ()) }
  }
}
