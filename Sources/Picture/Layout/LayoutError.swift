import TesseraDocuments
import TesseraMessages

/// An error in the selection, options or file of a layout. Its description is one sentence that
/// names the key and the remedy.
public enum LayoutError: Error, Hashable, Sendable {
  /// No layout has that name.
  case unknownLayout(String, known: [String])
  /// The layout has no option of that name.
  case unknownOption(String, layout: String, known: [String])
  /// The text of an option is not `key=value`, or the key occurs twice.
  case malformedOption(String, layout: String)
  /// The value of an option is not among the allowed ones.
  case invalidOption(key: String, value: String, layout: String, expected: String)
  /// The canvas has no area.
  case emptyCanvas(Size)
  /// A layout file cannot be parsed.
  case invalidFile(reason: String)
  /// A key of a layout file has an invalid value.
  case invalidValue(key: String, reason: String)
  /// A stylesheet uses an unsupported CSS feature, described by the first value.
  case unsupportedStyle(String, line: Int)
}

extension LayoutError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownLayout(let name, let known):
      "unknown layout \"\(name)\": \(Self.suggestion(for: name, among: known, kind: "layouts"))"
    case .unknownOption(let key, let layout, let known) where known.isEmpty:
      "layout \"\(layout)\" has no options: remove \"\(key)\"."
    case .unknownOption(let key, let layout, let known):
      "layout \"\(layout)\" has no option \"\(key)\": "
        + Self.suggestion(for: key, among: known, kind: "options")
    case .malformedOption(let text, let layout):
      "layout \"\(layout)\" cannot read the option \"\(text)\": write each as key=value, once."
    case .invalidOption(let key, let value, let layout, let expected):
      "layout \"\(layout)\" cannot take \(key)=\(value): give \(expected)."
    case .emptyCanvas(let size):
      "a canvas of \(size.width) by \(size.height) pixels has no area: give both sides above 0."
    case .invalidFile(let reason):
      "the layout file cannot be read: \(reason)."
    case .invalidValue(let key, let reason):
      "the layout file's \"\(key)\" \(reason)" + (reason.hasSuffix("?") ? "" : ".")
    case .unsupportedStyle(let what, let line):
      "the stylesheet uses \(what) in line \(line), which is not supported: remove it."
    }
  }

  private static func suggestion(for name: String, among known: [String], kind: String) -> String {
    if let nearest = name.nearest(among: known) { return "did you mean \"\(nearest)\"?" }
    return "the \(kind) are \(known.joined(separator: ", "))."
  }
}

extension LayoutError {
  /// Converts an error in a layout file written as JSON.
  init(_ error: DocumentError) {
    self =
      error.path.isEmpty
      ? .invalidFile(reason: error.reason.commandLine)
      : .invalidValue(key: error.path, reason: error.reason.commandLine)
  }
}
