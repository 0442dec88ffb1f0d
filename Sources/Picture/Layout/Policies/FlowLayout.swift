/// Lines of items in reading order, as `UICollectionViewFlowLayout` places them.
///
/// A line takes as many items as fit with the least spacing. On a full line the spacing is
/// stretched so that the items extend from edge to edge, and the last line keeps the spacing of the
/// line before. A single item on lines that hold no more is centered.
package struct FlowLayout: FixedPlacesLayout, Hashable {
  /// The rule for the size of items. An item wider than the canvas is scaled down to fit, with its
  /// aspect ratio.
  package enum ItemSize: Hashable, Sendable {
    /// Every item has the given size.
    case fixed(Size)
    /// Every item has the given width (height in a horizontal flow) and its picture's aspect ratio;
    /// ``estimatedAspectRatio`` while the aspect ratio is unknown.
    case selfSizing(Double)
    /// All items have one height, or width in a horizontal flow, and their pictures' aspect ratios,
    /// as large as fits onto the canvas.
    ///
    /// In a vertical flow, cameras are made higher by as much as may be cropped of the width.
    case fitted
  }

  /// The direction in which lines follow each other.
  package var direction = LayoutAxis.vertical
  /// The rule for the size of items.
  package var itemSize = ItemSize.fitted
  /// The least distance between lines in pixels.
  package var lineSpacing = 10.0
  /// The least distance between items of one line in pixels.
  package var interitemSpacing = 10.0
  /// The distance of the content from the canvas's edges in pixels.
  package var inset = 0.0
  /// The aspect ratio (width over height) of an item whose own is unknown.
  package var estimatedAspectRatio = 16.0 / 9.0

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
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
    // Content fitted to the canvas is centered; content that scrolls starts at the canvas's edge.
    let top = itemSize == .fitted ? max(0, canvas.height - content.height) / 2 : 0
    var frames = frames(lines, available, top: top + inset)
    if itemSize == .fitted, context.isCoveredByOne { frames = [canvas.bounds] }
    let attributes = zip(context.items, frames).map { item, frame in
      var tile = LayoutAttributes(item, frame: frame.oriented(direction))
      let isFilled = itemSize == .fitted && context.fit == .auto && item.kind == .camera
      if isFilled, item.aspectRatio != nil { tile.coverage = 1 }
      return tile
    }
    return LayoutArrangement(contentSize: content.oriented(direction), attributes: attributes)
  }

  /// Returns the size of the content. Fitted items are arranged in about as many lines as items per
  /// line, because an open side gives no length to fit them to.
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

  /// Returns the sizes of `items` that are `width` wide, in the coordinates of a vertical flow.
  private func sizes(_ items: [LayoutItem], width: Double) -> [Size] {
    items.map { item in
      let ratio = item.aspectRatio ?? estimatedAspectRatio
      return Size(
        width: width, height: direction == .vertical ? width / ratio : width * ratio)
    }
  }

  /// Returns the lines of equally high items that cover the most of an area of the height `height`.
  /// In a vertical flow cameras are stretched beyond their pictures' height into unused space.
  private func fittedLines(
    _ context: LayoutContext, _ available: Double, _ height: Double
  ) -> [Line] {
    let shapes = sizes(context.items, width: 1).map { Size(width: 1 / $0.height, height: 1) }
    let widest = shapes.map(\.width).max() ?? 1
    let isCropped = direction == .vertical && context.fit == .auto
    let crop = isCropped ? 1 / (1 - PictureFit.largestCrop) : 1
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
      // The stretched lines break as before: the widths are unchanged.
      let covered = stretched.reduce(0) { $0 + $1.area }
      if covered > most * (1 + 1e-9) { (best, most) = (lines(stretched, available), covered) }
    }
    return best
  }
}

extension FlowLayout {
  init(options: inout LayoutOptionParser) throws(LayoutError) {
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
}
