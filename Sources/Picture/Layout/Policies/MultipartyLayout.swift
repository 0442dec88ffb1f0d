/// Two columns with an odd item on top: the custom layout of the OpenTok iOS multiparty sample
/// (`MultipartyLayout.swift` in opentok-ios-sdk-samples-swift).
///
/// One item fills the canvas, two are stacked, an even number is in two columns. Of an odd number
/// the first takes the whole top row. The local participant is always first.
package struct MultipartyLayout: FixedPlacesLayout, Hashable {

  package init() {}

  init(options: inout LayoutOptionParser) {}

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let items = context.items.filter(\.isLocal) + context.items.filter { !$0.isLocal }
    let bounds = context.tilingBounds
    let leading = items.count > 2 && items.count.isMultiple(of: 2) ? 0 : 1
    let columns = items.count > 2 ? 2 : 1
    let rows = max(1, leading + (items.count - leading + columns - 1) / columns)
    let (width, height) = (bounds.width / Double(columns), bounds.height / Double(rows))
    let attributes = items.enumerated().map { index, item in
      let isLeading = index < leading
      let cell = index - leading
      let frame = Rect(
        x: bounds.x + (isLeading ? 0 : Double(cell % columns) * width),
        y: bounds.y + (isLeading ? 0 : Double(leading + cell / columns) * height),
        width: isLeading ? bounds.width : width, height: height)
      return LayoutAttributes(item, frame: context.frame(ofCell: frame))
    }
    return LayoutArrangement(contentSize: context.canvas, attributes: attributes)
  }
}
