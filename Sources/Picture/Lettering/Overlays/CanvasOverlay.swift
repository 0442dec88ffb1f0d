package import TesseraPixels
package import TesseraTimeline

/// Something that lies on the whole canvas for a while: a watermark, a title, a caption.
package struct CanvasOverlay: Hashable, Sendable, Codable {
  /// When it is first seen.
  package var from: MediaTime
  /// When it is not seen any more.
  package var to: MediaTime
  /// The length of the fade before ``to``.
  package var fade: MediaTime
  /// A color over the whole canvas under the drawings, or nil.
  package var fill: Color?
  /// The drawings, each group above the one before; they keep their distance to the canvas.
  package var groups: [ArtGroup]

  /// `groups` over `fill`, from `from` to `to`.
  package init(
    from: MediaTime, to: MediaTime, fade: MediaTime = .zero, fill: Color? = nil,
    groups: [ArtGroup]
  ) {
    (self.from, self.to, self.fade) = (from, to, fade)
    (self.fill, self.groups) = (fill, groups)
  }

  /// The opacity at `time`, 0...256: full from the first picture on, and linear to 0 within ``fade``.
  package func share(at time: MediaTime) -> Int {
    guard time >= from, time < to else { return 0 }
    guard to - time < fade else { return 256 }
    return Int(Int128((to - time).nanoseconds) * 256 / Int128(fade.nanoseconds))
  }
}

/// Where on the canvas something lies.
package struct CanvasPlace: Hashable, Sendable, Codable {
  /// The corner, edge or middle that it keeps its distance to.
  package var anchor: Anchor
  /// The distance to the canvas's edges as a share of its shorter side, 0...0.5.
  package var margin: Double

  /// The place at `anchor`.
  package init(_ anchor: Anchor, margin: Double = 0.03) {
    (self.anchor, self.margin) = (anchor, margin)
  }
}

extension Lettering {
  /// `items` as a group of `size` at a place of the canvas.
  func group(
    _ items: [ArtGroup.Item], _ size: PixelSize, at place: CanvasPlace, canvas: PixelSize
  ) -> ArtGroup {
    let margin = max(0, min(0.5, place.margin)) * Double(min(canvas.width, canvas.height))
    let (x, y) = offset(place.anchor, margin: Int(margin.rounded()))
    return ArtGroup(anchor: place.anchor, x: x, y: y, size: size, items: items)
  }
}
