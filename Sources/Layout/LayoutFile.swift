/// Layouts that are written in files: regions as JSON, or a stylesheet.
public enum LayoutFile {
  /// The most bytes that a layout file may have.
  public static let maximumSize = 1 << 20

  /// The layout that `text` describes: JSON where it begins with a brace or bracket, else a
  /// stylesheet.
  public static func policy(_ text: String) throws(LayoutError) -> any LayoutPolicy {
    guard text.utf8.count <= maximumSize else {
      throw .invalidFile(reason: "it is larger than a megabyte, which no layout is")
    }
    switch text.first(where: { !$0.isWhitespace }) {
    case "{", "[": return try RegionLayout(json: text)
    default: return try StylesheetLayout(text)
    }
  }
}
