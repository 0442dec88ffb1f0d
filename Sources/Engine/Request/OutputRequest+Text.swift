import TesseraDocuments
import TesseraMessages
import TesseraRecordings
package import TesseraSystem

extension OutputRequest {
  /// Reads an output with its options: `phone.mp4:size=1080x1920,layout=speaker`.
  ///
  /// Options start after the first colon that is followed by a name and `=`. Commas separate them.
  /// A part without `=` continues the previous value, and an option given again adds a value.
  /// Quotation marks around a value protect its commas; a doubled quotation mark inside them stands
  /// for a single one.
  ///
  /// - Throws: ``RenderError`` if there is no file, a quotation mark is not closed, or an option is
  ///   unknown, does not apply to a single output, or has an invalid value.
  package init(text: String) throws(RenderError) {
    guard let wish = Self.wish(text) else {
      throw RenderError(
        .usage,
        "the output \(text) cannot be read: write file:option=value, and a comma before each further "
          + "option."
      )
    }
    try self.init(wish)
  }

  /// Returns the main output at `path` (an HLS folder if there are `sizes`), the outputs that
  /// `also` describes, and those of the file `list`.
  ///
  /// - Throws: ``RenderError`` if an output is invalid or the file cannot be read.
  package static func all(
    _ path: String, _ sizes: HLSSizes?, also: [String], list: String?
  ) throws(RenderError) -> [OutputRequest] {
    var all = [sizes.map { OutputRequest.stream(path, $0.sides) } ?? .file(path)]
    for text in also { all.append(try OutputRequest(text: text)) }
    guard let list else { return all }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try RegularFile.bytes(list, atMost: DocumentValue.maximumSize + 1)
    } catch {
      throw RenderError(
        .usage, "cannot read the outputs file \(file: list): \(error.reason); check its name.")
    }
    let wishes = try RenderError.refusing { () throws(DocumentError) in
      try SessionOutput.list(from: try DocumentValue(bytes, .yaml, file: list), file: list)
    }
    for wish in wishes { all.append(try OutputRequest(wish)) }
    return all
  }

  /// Returns the file and options in `text`, or `nil` if the text is malformed.
  private static func wish(_ text: String) -> SessionOutput? {
    var rest = text[...]
    var options: [SessionOutput.Option] = []
    if let colon = colon(in: text) {
      rest = text[..<colon]
      guard let parts = parts(text[colon...].dropFirst()) else { return nil }
      for part in parts {
        if let sign = part.firstIndex(of: "="), isName(part[..<sign]) {
          let (name, value) = (part[..<sign], part[sign...].dropFirst())
          if let known = options.firstIndex(where: { $0.name == name }) {
            options[known].values.append(String(value))
          } else {
            options.append(SessionOutput.Option(String(name), [String(value)]))
          }
        } else if options.isEmpty || RenditionOptions.bare.contains(part) {
          options.append(SessionOutput.Option(part, []))
        } else if options[options.count - 1].values.isEmpty {
          return nil
        } else {
          options[options.count - 1].values.append(part)
        }
      }
    }
    return rest.isEmpty ? nil : SessionOutput(String(rest), options)
  }

  /// Returns the index of the colon before the options, or `nil` if there are none.
  private static func colon(in text: String) -> String.Index? {
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

  /// Splits `text` at commas outside quotation marks and removes the quotation marks. Returns `nil`
  /// if one is not closed.
  private static func parts(_ text: Substring) -> [String]? {
    var (parts, isQuoted, last) = ([""], false, Character?.none)
    for character in text {
      switch character {
      case "\"":
        // A doubled quotation mark inside quotation marks stands for one.
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
