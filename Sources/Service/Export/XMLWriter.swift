import TesseraTimeline

/// An XML document that is written element by element and indented by depth.
struct XMLWriter {
  private(set) var text: String
  private var depth = 0

  /// Starts a document with the XML declaration and, if given, a document type.
  init(doctype: String? = nil) {
    text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    if let doctype { text += "<!DOCTYPE \(doctype)>\n" }
  }

  typealias Attributes = KeyValuePairs<String, Any>

  /// Writes an element with the content that `content` writes.
  mutating func element(
    _ name: String, _ attributes: Attributes = [:], _ content: (inout XMLWriter) -> Void = { _ in }
  ) {
    let list = attributes.map { " \($0.key)=\"\("\($0.value)".asMarkup)\"" }.joined()
    line("<\(name)\(list)>")
    let length = text.utf8.count
    depth += 1
    content(&self)
    depth -= 1
    guard text.utf8.count == length else { return line("</\(name)>") }
    text.removeLast(2)
    text += "/>\n"
  }

  /// Writes one element per key, with the value as its text.
  mutating func values(_ values: Attributes) {
    for (name, value) in values { line("<\(name)>\("\(value)".asMarkup)</\(name)>") }
  }

  /// Writes MLT's `property` elements.
  mutating func properties(_ values: Attributes) {
    for (name, value) in values {
      line("<property name=\"\(name)\">\("\(value)".asMarkup)</property>")
    }
  }

  private mutating func line(_ line: String) {
    text += String(repeating: " ", count: depth) + line + "\n"
  }
}
