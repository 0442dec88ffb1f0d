import ArgumentParser
import TesseraRecordings
import TesseraRequest

/// An output with its options: `phone.mp4:size=1080x1920,layout=speaker`.
struct AlsoOutput: ExpressibleByArgument {
  let wish: OutputWish

  /// The output as the command line has it.
  init(_ output: RequestedOutput) {
    var options = output.options.said.map { OutputWish.Option($0.row.name, $0.texts) }
    switch output.kind {
    case .file, .poster(nil): break
    case .stream(let sides):
      options.append(OutputWish.Option("hls", [StreamSizes(sides: sides).optionText]))
    case .thumbnails(let every): options.append(OutputWish.Option("every", ["\(every)"]))
    case .poster(let time?): options.append(OutputWish.Option("at", ["\(time)"]))
    }
    wish = OutputWish(output.place, options)
  }

  /// The text that ``init(argument:)`` reads.
  var text: String {
    let options = wish.options.flatMap { option in
      option.values.map { value in
        let isPlain = !value.contains(",") && !value.contains("\"")
        return "\(option.name)=" + (isPlain ? value : "\"\(value.replacing("\"", with: "\"\""))\"")
      }
    }
    return options.isEmpty ? wish.file : "\(wish.file):\(options.joined(separator: ","))"
  }

  /// Options begin after the first colon that a name and `=` follow. They are separated by commas; a
  /// part without `=` belongs to the value before it, an option that comes again has one more, and
  /// quotation marks around a value keep its commas; two of them there are one. nil where there is no file, or a quotation mark is not closed.
  init?(argument: String) {
    var rest = argument[...]
    var options: [OutputWish.Option] = []
    if let colon = Self.colon(in: argument) {
      rest = argument[..<colon]
      guard let parts = Self.parts(argument[colon...].dropFirst()) else { return nil }
      for part in parts {
        if let sign = part.firstIndex(of: "="), Self.isName(part[..<sign]) {
          let (name, value) = (part[..<sign], part[sign...].dropFirst())
          if let known = options.firstIndex(where: { $0.name == name }) {
            options[known].values.append(String(value))
          } else {
            options.append(OutputWish.Option(String(name), [String(value)]))
          }
        } else if options.isEmpty || RenditionOptions.bare.contains(part) {
          options.append(OutputWish.Option(part, []))
        } else if options[options.count - 1].values.isEmpty {
          return nil
        } else {
          options[options.count - 1].values.append(part)
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
      return isName(name)
        && (name.endIndex < rest.endIndex || RenditionOptions.bare.contains(String(name)))
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    text.first?.isLetter == true
      && text.utf8.allSatisfy { 97...122 ~= $0 || $0 == UInt8(ascii: "-") }
  }

  /// What stands between commas, without quotation marks.
  private static func parts(_ text: Substring) -> [String]? {
    var (parts, isQuoted, last) = ([""], false, Character?.none)
    for character in text {
      switch character {
      case "\"":
        // Two of them between quotation marks are one of the value.
        if !isQuoted, last == "\"" { parts[parts.count - 1].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
      last = character
    }
    return isQuoted ? nil : parts
  }
}
