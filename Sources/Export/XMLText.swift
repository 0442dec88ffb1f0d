import TesseraTimeline

/// An XML document as text, written element by element and indented by depth.
struct XMLText {
  private(set) var text: String
  private var depth = 0

  /// A document that starts with the XML declaration and, if given, a document type.
  init(doctype: String? = nil) {
    text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    if let doctype { text += "<!DOCTYPE \(doctype)>\n" }
  }

  /// Writes an element around what `content` writes.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:],
    _ content: (inout XMLText) -> Void
  ) {
    line("<\(name)\(Self.list(attributes))>")
    depth += 1
    content(&self)
    depth -= 1
    line("</\(name)>")
  }

  /// Writes an element that holds `value` alone; an empty element if it is nil.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ value: Any? = nil
  ) {
    let start = "<\(name)\(Self.list(attributes))"
    line(value.map { "\(start)>\("\($0)".asMarkup)</\(name)>" } ?? "\(start)/>")
  }

  /// Writes MLT's `property` element.
  mutating func property(_ name: String, _ value: Any) {
    element("property", ["name": name], value)
  }

  private mutating func line(_ line: String) {
    text += String(repeating: " ", count: depth) + line + "\n"
  }

  private static func list(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0.key)=\"\($0.value.asMarkup)\"" }.joined()
  }
}
