package import TesseraPixels
package import TesseraTimeline

/// Drawings over the whole canvas for a time: a watermark, a title, a caption.
package struct CanvasOverlay: Hashable, Sendable, Codable {
  /// The time of the first frame that shows the overlay.
  package var from: MediaTime
  /// The time from which the overlay is no longer visible.
  package var to: MediaTime
  /// The length of the fade-out before ``to``.
  package var fade: MediaTime
  /// A color over the whole canvas below the drawings; `nil` for none.
  package var fill: Color?
  /// The groups of drawings, back to front, positioned relative to the canvas.
  package var groups: [DrawingGroup]

  /// Creates an overlay with `groups` over `fill`, visible in `[from, to)`.
  package init(
    from: MediaTime, to: MediaTime, fade: MediaTime = .zero, fill: Color? = nil,
    groups: [DrawingGroup]
  ) {
    (self.from, self.to, self.fade) = (from, to, fade)
    (self.fill, self.groups) = (fill, groups)
  }

  /// Returns the opacity at `time`, `0...256`: full from the first frame, then linear to 0 during
  /// ``fade``.
  package func share(at time: MediaTime) -> Int {
    guard time >= from, time < to else { return 0 }
    guard to - time < fade else { return 256 }
    return Int(Int128((to - time).nanoseconds) * 256 / Int128(fade.nanoseconds))
  }
}

/// A position at a corner, an edge or the center of the canvas, with a margin that is proportional
/// to the canvas.
package struct CanvasPosition: Hashable, Sendable, Codable {
  /// The corner, edge or center to which the distance is constant.
  package var anchor: AnchorPoint
  /// The distance to the canvas's edges as a fraction of its shorter side, `0...0.5`.
  package var margin: Double

  package init(_ anchor: AnchorPoint, margin: Double = 0.03) {
    (self.anchor, self.margin) = (anchor, margin)
  }
}

extension LetteringRenderer {
  /// Returns `items` as a group of `size` at `place` on the canvas.
  func group(
    _ items: [DrawingGroup.Item], _ size: PixelSize, at place: CanvasPosition, canvas: PixelSize
  ) -> DrawingGroup {
    let margin = max(0, min(0.5, place.margin)) * Double(min(canvas.width, canvas.height))
    let (x, y) = offset(place.anchor, margin: Int(margin.rounded()))
    return DrawingGroup(anchor: place.anchor, x: x, y: y, size: size, items: items)
  }
}
