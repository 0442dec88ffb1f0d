import ArgumentParser
import TesseraPlanning
import TesseraRecordings

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
    let options = wish.options.map { option in
      let values = option.values.map { $0.contains(",") ? "\"\($0)\"" : $0 }
      return "\(option.name)=\(values.joined(separator: ","))"
    }
    return options.isEmpty ? wish.file : "\(wish.file):\(options.joined(separator: ","))"
  }

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
