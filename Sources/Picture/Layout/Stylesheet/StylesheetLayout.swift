/// A custom layout of the OpenTok archive API: a stylesheet over `stream` elements, one for each
/// item in join order.
///
/// A focused item has the classes `focus` and `full` of the presets. A screen without a class of
/// its own has `focus`.
package struct StylesheetLayout: LayoutPolicy {
  package var namesItsSources: Bool { true }

  private let stylesheet: Stylesheet

  /// Parses the stylesheet `text`.
  ///
  /// - Throws: ``LayoutError/unsupportedStyle(_:line:)``.
  package init(_ text: String) throws(LayoutError) {
    stylesheet = try Stylesheet(text)
  }

  package var overflow: OverflowRule { .everyone }

  /// False for every item: a stylesheet hides items on purpose.
  package func applies(to item: LayoutItem) -> Bool { false }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
      || !new.items.elementsEqual(old.items) { a, b in
        a.classes == b.classes && a.sources == b.sources
      }
  }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let elements = context.items.map { item in
      StyleSelector.Element(ids: item.sources, classes: item.styleClasses)
    }
    var boxes = StyleBoxLayout(canvas: context.canvas)
    let attributes = context.items.enumerated().compactMap { index, item -> LayoutAttributes? in
      let style = stylesheet.style(of: index, in: elements)
      return style.isDisplayed
        ? self.attributes(item, style, box: boxes.place(style), canvas: context.canvas) : nil
    }
    return LayoutArrangement(contentSize: context.canvas, attributes: attributes)
  }

  /// Returns the attributes of an element in its border box. A positioned element is in front of
  /// the others with its z-index.
  private func attributes(
    _ item: LayoutItem, _ style: ElementStyle, box: Rect, canvas: Size
  ) -> LayoutAttributes {
    let padding = style.border == nil ? EdgeLengths(style.padding, canvas) : nil
    let frame = Rect(
      left: box.x + (padding?.left ?? 0), top: box.y + (padding?.top ?? 0),
      right: box.maxX - (padding?.right ?? 0), bottom: box.maxY - (padding?.bottom ?? 0))
    var attributes = LayoutAttributes(
      item, frame: frame, zIndex: 2 * style.zIndex + (style.position == .static ? 0 : 1))
    attributes.fit = style.fit
    attributes.border = style.border
    if let radius = style.radius.pixels(of: min(frame.width, frame.height)), radius > 0 {
      attributes.cornerRadius = min(radius, min(frame.width, frame.height) / 2)
    }
    return attributes
  }
}

extension LayoutItem {
  /// The classes that selectors match.
  fileprivate var styleClasses: [String] {
    if isFocused { return classes + ["focus", "full"] }
    return classes.isEmpty && kind == .screen ? ["focus"] : classes
  }
}
