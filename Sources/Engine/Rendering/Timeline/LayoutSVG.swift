import Foundation
package import TesseraLayout
package import TesseraTimeline

/// The layout at a moment of a change.
package struct LayoutStep {
  /// The time since the change began.
  package let time: MediaTime
  /// The visible tiles, from back to front.
  package let attributes: [LayoutAttributes]

  package init(time: MediaTime, attributes: [LayoutAttributes]) {
    (self.time, self.attributes) = (time, attributes)
  }

  /// The step as `tessera layout --json` prints it.
  package struct JSON: Encodable {
    let time: Double
    let canvas: Size
    let tiles: [LayoutAttributes]

    /// Creates the JSON value of `step` on a canvas of that size.
    package init(_ step: LayoutStep, canvas: Size) {
      (time, self.canvas, tiles) = (step.time.seconds, canvas, step.attributes)
    }
  }
}

/// An SVG drawing of layout steps: labeled tiles on the canvas, three canvases per row.
package struct LayoutSVG {
  private let canvas: Size
  private let steps: [LayoutStep]

  package init(canvas: Size, steps: [LayoutStep]) { (self.canvas, self.steps) = (canvas, steps) }

  private static let margin = 16.0
  private static let captionHeight = 26.0

  package var text: String {
    let columns = min(3, steps.count)
    let rows = (steps.count + columns - 1) / columns
    let scale = min(1, 1280 / (canvas.width * Double(columns)))
    let caption = steps.count > 1 ? Self.captionHeight : 0
    let cell = Size(
      width: canvas.width * scale + Self.margin,
      height: canvas.height * scale + caption + Self.margin)
    let width = cell.width * Double(columns) + Self.margin
    let height = cell.height * Double(rows) + Self.margin
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))" \
      viewBox="0 0 \(number(width)) \(number(height))" font-family="sans-serif">
      """,
      ##"<rect width="100%" height="100%" fill="#e9ebee"/>"##,
    ]
    for (index, step) in steps.enumerated() {
      let x = Self.margin + Double(index % columns) * cell.width
      let y = Self.margin + Double(index / columns) * cell.height
      lines.append(#"<g transform="translate(\#(number(x)) \#(number(y)))">"#)
      if caption > 0 {
        lines.append(##"<text y="16" font-size="14" fill="#444">\##(step.time) s</text>"##)
      }
      lines.append(drawing(of: step, index: index, scale: scale, top: caption))
      lines.append("</g>")
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  /// Draws one canvas with its tiles.
  private func drawing(of step: LayoutStep, index: Int, scale: Double, top: Double) -> String {
    let size = #"width="\#(number(canvas.width))" height="\#(number(canvas.height))""#
    let tiles = step.attributes.filter(\.isVisible).map(tile)
    return """
      <g transform="translate(0 \(number(top))) scale(\(scale))">
      <clipPath id="canvas\(index)"><rect \(size)/></clipPath>
      <rect \(size) fill="#101418"/>
      <g clip-path="url(#canvas\(index))">
      \(tiles.joined(separator: "\n"))
      </g></g>
      """
  }

  /// Draws a tile with its label: the participant's number and the tile's size.
  private func tile(_ attributes: LayoutAttributes) -> String {
    let frame = attributes.displayFrame
    let isCount = attributes.overflowCount > 0
    let label = isCount ? "+\(attributes.overflowCount)" : "\(attributes.id + 1)"
    let hue = attributes.id * 137 % 360
    let fill = isCount ? "#333a42" : "hsl(\(hue),45%,\(attributes.fit == .contain ? 30 : 48)%)"
    let letter = min(frame.width, frame.height) * 0.4
    let measure = min(frame.width / 9, frame.height / 6, canvas.height / 40)
    let extents =
      "\(Int(saturating: frame.width.rounded()))×\(Int(saturating: frame.height.rounded()))"
    let x = number(frame.midX)
    let border = attributes.border.map { border in
      let hex = String(border.color, radix: 16)
      let color = String(repeating: "0", count: 6 - hex.count) + hex
      return " stroke=\"#\(color)\" stroke-width=\"\(number(border.width))\""
    }
    return """
      <g opacity="\(number(attributes.alpha))">\
      <rect x="\(number(frame.x))" y="\(number(frame.y))" width="\(number(frame.width))" \
      height="\(number(frame.height))" rx="\(number(attributes.cornerRadius ?? 0))" fill="\(fill)"\(border ?? "")/>\
      <text x="\(x)" y="\(number(frame.midY + letter * 0.3))" font-size="\(number(letter))" \
      fill="#fff" text-anchor="middle">\(label)</text>\
      <text x="\(x)" y="\(number(frame.maxY - measure * 0.5))" font-size="\(number(measure))" \
      fill="#fff" fill-opacity="0.8" text-anchor="middle">\(extents)</text></g>
      """
  }

  /// Formats a coordinate with at most two decimals.
  private func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(saturating: rounded))" : "\(rounded)"
  }
}
