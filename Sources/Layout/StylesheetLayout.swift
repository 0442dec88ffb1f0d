public struct StylesheetLayout: LayoutPolicy {
  public init(_ text: String) throws(LayoutError) { throw .unsupportedStyle("", line: 0) }
  public func prepare(_ context: LayoutContext) -> Arrangement {
    Arrangement(contentSize: context.canvas, attributes: [])
  }
}
