import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraTimeline

extension Planner {
  /// Where everyone is at any time, and on which canvas.
  ///
  /// A side of the canvas that is left to the layout is as long as it asks for when the most
  /// people are there at once.
  static func layout(
    _ request: RenderRequest, _ attendance: Attendance, frameCount: Int
  ) throws(RenderError) -> (timeline: AttributeTimeline, canvas: PixelSize) {
    let changes = attendance.changes(before: frameCount)
    let most = changes.map(\.items).max { $0.count < $1.count } ?? []
    let (canvas, gap) = request.layout.measure(
      request.proposedSize, items: Array(most.prefix(request.maximumTiles)), gap: request.gap)
    let size = try pixels(of: canvas, request)
    do throws(LayoutError) {
      let engine = try LayoutEngine(
        policy: request.layout, canvas: canvas, gap: gap, maximumTiles: request.maximumTiles,
        fit: request.output.fit, cast: attendance.items)
      return (try AttributeTimeline(changes, engine: engine, transition: request.transition), size)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }

  private static func pixels(
    of canvas: Size, _ request: RenderRequest
  ) throws(RenderError) -> PixelSize {
    let sides = RenderRequest.canvasSides
    let limits = Double(sides.lowerBound)...Double(sides.upperBound)
    guard limits.contains(canvas.width), limits.contains(canvas.height) else {
      throw RenderError(
        .usage,
        "--size \(request.proposedSize) makes a canvas with this layout whose sides are not from "
          + "\(sides.lowerBound) to \(sides.upperBound) pixels; give both sides.")
    }
    return PixelSize(width: Int(canvas.width), height: Int(canvas.height))
  }
}

extension RenderRequest {
  /// The canvas that is asked for.
  fileprivate var proposedSize: ProposedSize {
    let fixed = output.video.size
    return size ?? ProposedSize(width: Double(fixed.width), height: Double(fixed.height))
  }
}
