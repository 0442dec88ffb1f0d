import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// The eighth stage: where every seat is at any time, and on which canvas.
struct StagedCall {
  /// The seats, with crops that follow faces.
  let seats: [ScenePlanner.Seat]
  let scenes: AttributeTimeline
  let canvas: PixelSize
  /// The sentence that faces cannot be found; nil where they can, or are not looked for.
  let faceNote: String?
  private let planner: ScenePlanner

  /// - Throws: ``RenderError`` where the layout refuses the seats or the canvas.
  init(
    _ request: PlanRequest, _ heard: HeardCall, _ cut: FrameCut, _ laidOut: LaidOutCall,
    _ seated: SeatedCall
  ) throws(RenderError) {
    let planner = ScenePlanner(
      rendition: request.rendition, frameCount: heard.frameCount, layout: laidOut.layout,
      layouts: seated.layouts, events: heard.events, speech: laidOut.speech,
      followsSpeaker: laidOut.followsSpeaker,
      start: request.frameRate.time(ofFrame: cut.lowerBound))
    let faces = FaceFinder(
      rendition: request.rendition, cut: cut, cache: request.call.cache, readers: request.readers)
    (seats, faceNote) =
      faces.isWanted
      ? try faces.framed(seated.seats) { seats throws(RenderError) in
        try planner.scenes(of: seats).timeline
      } : (seated.seats, nil)
    (scenes, canvas) = try planner.scenes(of: seats)
    self.planner = planner
  }

  /// The canvas on which everybody is always seen; nil where there is none.
  var sizeForEveryone: ProposedSize? { planner.sizeForEveryone(seats) }
}
