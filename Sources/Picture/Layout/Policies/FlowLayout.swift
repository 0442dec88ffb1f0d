/// Lines of items in the order of reading, as `UICollectionViewFlowLayout` sets them.
///
/// A line takes as many items as fit with the least spacing between them; on a full line the
/// spacing is stretched so that the items reach from edge to edge, and the last line keeps the
/// spacing of the line before it. An item alone on lines that hold no more is centered.
package struct FlowLayout: LayoutPolicy, Hashable {
  /// How large an item is across the direction of its line; one that is wider than the canvas is made
  /// smaller, as its shape has it, until it fits.
  package enum ItemSize: Hashable, Sendable {
    /// Every item has this size.
    case fixed(Size)
    /// Every item is so wide (so high where the flow is horizontal) and as long as its picture
    /// asks; while its shape is not known, as long as the estimate says.
    case selfSizing(Double)
    /// Every item is as high (as wide where the flow is horizontal) as all others and as long as its
    /// picture asks, as large as it can be so that everything fits onto the canvas; where lines follow
    /// one another from top to bottom, cameras are higher by what may be cropped of the width.
    case fitted
  }

  /// The direction in which the lines follow one another.
  package var direction: Axis
  /// How large an item is.
  package var itemSize: ItemSize
  /// The least distance between lines.
  package var lineSpacing: Double
  /// The least distance between items of one line.
  package var interitemSpacing: Double
  /// The distance of the content from the edges.
  package var inset: Double
  /// The aspect ratio of an item whose own is not known.
  package var estimatedAspectRatio: Double

  /// A flow with the collection view's spacings of 10.
  package init(
    direction: Axis = .vertical, itemSize: ItemSize = .fitted, lineSpacing: Double = 10,
    interitemSpacing: Double = 10, inset: Double = 0, estimatedAspectRatio: Double = 16.0 / 9.0
  ) {
    self.direction = direction
    self.itemSize = itemSize
    self.lineSpacing = lineSpacing
    self.interitemSpacing = interitemSpacing
    self.inset = inset
    self.estimatedAspectRatio = estimatedAspectRatio
  }

  init(options: inout LayoutOptions) throws(LayoutError) {
    self.init(
      direction: try options.choice(
        "direction", else: .vertical, "the direction in which lines are stacked"),
      lineSpacing: try options.number(
        "line-spacing", in: 0...1000, else: 10, "the minimum distance between lines in pixels"),
      interitemSpacing: try options.number(
        "item-spacing", in: 0...1000, else: 10,
        "the minimum distance between tiles of a line in pixels"),
      inset: try options.number(
        "inset", in: 0...1000, else: 0, "the distance to the canvas's edges in pixels"),
      estimatedAspectRatio: try options.number(
        "estimated-aspect", in: 0.1...10, else: "16:9",
        "the aspect ratio of participants who never have a picture") ?? 16.0 / 9.0)
    let across = try options.number(
      "across", in: 1...16384, else: "all fit",
      "the tiles' width in pixels, or height in a horizontal flow; the picture's shape decides the other side"
    )
    if let size = try options.size(else: "by across") {
      itemSize = .fixed(size)
    } else if let across {
      itemSize = .selfSizing(across)
    }
  }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
  }

  package func prepare(_ context: LayoutContext) -> Arrangement {
    let canvas = context.canvas.oriented(direction)
    let available = max(1, canvas.width - 2 * inset)
    let lines =
      switch itemSize {
      case .fixed(let size):
        lines(
          context.items.map { _ in size.oriented(direction).capped(width: available) }, available)
      case .selfSizing(let width):
        lines(sizes(context.items, width: min(width, available)), available)
      case .fitted: fittedLines(context, available, canvas.height - 2 * inset)
      }
    let content = Size(width: canvas.width, height: height(lines) + 2 * inset)
    // What is made to fit the canvas stands in its middle; what scrolls begins at its edge.
    let top = itemSize == .fitted ? max(0, canvas.height - content.height) / 2 : 0
    var frames = frames(lines, available, top: top + inset)
    if itemSize == .fitted, context.isCoveredByOne { frames = [canvas.bounds] }
    let attributes = zip(context.items, frames).map { item, frame in
      var tile = LayoutAttributes(item, frame: frame.oriented(direction))
      let isFilled = itemSize == .fitted && context.fit == .auto && item.kind == .camera
      if isFilled, item.aspectRatio != nil { tile.coverage = 1 }
      return tile
    }
    return Arrangement(contentSize: content.oriented(direction), attributes: attributes)
  }

  /// The size of the content; where items would be fitted to the canvas, of as many items a line
  /// as make it about as many lines.
  package func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    let isOpen = (direction == .vertical ? proposal.height : proposal.width) == nil
    var flow = self
    let canvas = proposal.widescreen
    if itemSize == .fitted, isOpen {
      let columns = max(1, Double(items.count).squareRoot().rounded(.up))
      let available = canvas.oriented(direction).width - 2 * inset
      flow.itemSize = .selfSizing((available - interitemSpacing * (columns - 1)) / columns)
    }
    return flow.prepare(LayoutContext(canvas: canvas, gap: gap, items: items)).contentSize
  }

  /// The sizes of items that are `width` wide, in a vertical flow.
  private func sizes(_ items: [LayoutItem], width: Double) -> [Size] {
    items.map { item in
      let ratio = item.aspectRatio ?? estimatedAspectRatio
      return Size(
        width: width, height: direction == .vertical ? width / ratio : width * ratio)
    }
  }

  /// The lines of items of one height that cover the most of an area `height` high. Where less is
  /// covered as lines run across, cameras are higher than their pictures ask.
  private func fittedLines(
    _ context: LayoutContext, _ available: Double, _ height: Double
  ) -> [Line] {
    let shapes = sizes(context.items, width: 1).map { Size(width: 1 / $0.height, height: 1) }
    let widest = shapes.map(\.width).max() ?? 1
    let isCropped = direction == .vertical && context.fit == .auto
    let crop = isCropped ? 1 / (1 - Fit.largestCrop) : 1
    var (best, most) = ([Line](), 0.0)
    for count in 1...max(1, shapes.count) {
      let room = max(1, height - lineSpacing * Double(count - 1)) / Double(count)
      func sizes(_ height: Double) -> [Size] {
        shapes.map { Size(width: $0.width * height, height: height) }
      }
      var (fits, tooHigh) = (0.0, min(room, available / widest))
      if lines(sizes(tooHigh), available).count <= count { fits = tooHigh }
      for _ in 0..<30 where fits < tooHigh {
        let middle = (fits + tooHigh) / 2
        if lines(sizes(middle), available).count <= count {
          fits = middle
        } else {
          tooHigh = middle
        }
      }
      let stretch = max(1, min(crop, room / max(fits, 1e-9)))
      let stretched = zip(context.items, sizes(fits)).map { item, size in
        Size(width: size.width, height: size.height * (item.kind == .camera ? stretch : 1))
      }
      // They break where unstretched ones do: widths are the same.
      let covered = stretched.reduce(0) { $0 + $1.area }
      if covered > most * (1 + 1e-9) { (best, most) = (lines(stretched, available), covered) }
    }
    return best
  }
}
