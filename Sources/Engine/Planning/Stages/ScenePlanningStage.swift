import TesseraLayout
import TesseraMessages
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Stage 8 of planning: the layout of all seats over time, and the canvas size.
struct ScenePlanningStage {
  /// The seats, with crops that follow faces.
  let seats: [ScenePlanner.Seat]
  let scenes: LayoutTimeline
  let canvas: PixelSize
  /// The note that face detection is not installed; `nil` if it is, or if it is not needed.
  let faceNote: UserMessage?
  private let planner: ScenePlanner

  /// - Throws: ``RenderError`` if the layout does not fit the seats or the canvas.
  init(
    _ request: PlanningInput, _ heard: ParticipantPlanningStage, _ cut: FrameSelection,
    _ laidOut: LayoutPlanningStage,
    _ seated: SeatingPlanningStage
  ) throws(RenderError) {
    let planner = ScenePlanner(
      rendition: request.rendition, frameCount: heard.frameCount, layout: laidOut.layout,
      layouts: seated.layouts, events: heard.events, speech: laidOut.speech,
      followsSpeaker: laidOut.followsSpeaker,
      start: request.frameRate.time(ofFrame: cut.lowerBound))
    let faces = FramingPlanner(
      rendition: request.rendition, cut: cut, cache: request.call.cache, readers: request.readers)
    (seats, faceNote) =
      faces.isWanted
      ? try faces.framed(seated.seats) { seats throws(RenderError) in
        try planner.scenes(of: seats).timeline
      } : (seated.seats, nil)
    (scenes, canvas) = try planner.scenes(of: seats)
    self.planner = planner
  }

  /// The canvas size at which everybody is always visible; `nil` if there is none.
  var sizeForEveryone: ProposedSize? { planner.sizeForEveryone(seats) }
}
