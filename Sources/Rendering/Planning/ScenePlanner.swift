import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraTimeline

/// Decides where every slot is at any time.
struct ScenePlanner {
  /// A slot and what the layout has to know of it.
  struct Seat {
    var slot: Slot
    /// What the layout's files and options may call it.
    var names: [String]
    var aspectRatio: Double?
    var isLocal: Bool
    var isFocused: Bool
  }

  let request: RenderRequest
  let frameCount: Int

  private var frameRate: FrameRate { request.output.video.frameRate }

  /// Where `seats` are at any time, and on which canvas.
  ///
  /// A side of the canvas that is left to the layout is as long as it asks for when the most
  /// people are there at once.
  func scenes(
    of seats: [Seat]
  ) throws(RenderError) -> (timeline: AttributeTimeline, canvas: PixelSize) {
    let items = items(seats)
    let changes = changes(seats, items)
    let most = changes.map(\.items).max { $0.count < $1.count } ?? []
    let (canvas, gap) = request.layout.measure(
      request.proposedSize, items: Array(most.prefix(request.maximumTiles)), gap: request.gap)
    let size = try pixels(of: canvas)
    do throws(LayoutError) {
      let engine = try LayoutEngine(
        policy: request.layout, canvas: canvas, gap: gap, maximumTiles: request.maximumTiles,
        fit: request.output.fit, cast: items)
      return (try AttributeTimeline(changes, engine: engine, transition: request.transition), size)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }

  /// Everyone in join order; who comes in the same frame stands in the order of the seats.
  private func items(_ seats: [Seat]) -> [LayoutItem] {
    let starts = seats.map { $0.slot.presence.first?.lowerBound ?? frameCount }
    return seats.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }.map { index in
      let seat = seats[index]
      let last = seat.slot.presence.last?.upperBound ?? frameCount
      return LayoutItem(
        id: seat.slot.id, sources: seat.names, kind: seat.slot.kind == .screen ? .screen : .camera,
        aspectRatio: seat.aspectRatio, isLocal: seat.isLocal, isFocused: seat.isFocused,
        presence: TimeInterval(
          start: frameRate.time(ofFrame: starts[index]), end: frameRate.time(ofFrame: last)))
    }
  }

  /// Who is there at the beginning, and from every frame on in which somebody comes or leaves.
  private func changes(_ seats: [Seat], _ items: [LayoutItem]) -> [LayoutChange] {
    let presences = Dictionary(uniqueKeysWithValues: seats.map { ($0.slot.id, $0.slot.presence) })
    let borders = seats.flatMap { $0.slot.presence.flatMap { [$0.lowerBound, $0.upperBound] } }
    return Set(borders + [0]).filter { $0 < frameCount }.sorted().map { frame in
      LayoutChange(
        time: frameRate.time(ofFrame: frame),
        items: items.filter { presences[$0.id]?.contains { $0.contains(frame) } == true })
    }
  }

  private func pixels(of canvas: Size) throws(RenderError) -> PixelSize {
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
