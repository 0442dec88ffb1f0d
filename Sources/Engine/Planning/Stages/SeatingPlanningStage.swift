import TesseraLayout
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

/// Stage 7 of planning: the seats of all participants, and the shots of a directed call.
struct SeatingPlanningStage {
  let seats: [ScenePlanner.Seat]
  /// The shots of the output; empty unless the layout is `cuts`.
  let shots: [Plan.Shot]
  /// The layouts over time. In a directed call, each shot is a layout.
  let layouts: [(frame: Int, layout: any LayoutPolicy)]

  init(
    _ request: PlanningInput, _ opened: TrackPlacementPlanningStage,
    _ heard: ParticipantPlanningStage,
    _ said: TranscriptPlanningStage,
    _ cut: FrameSelection, _ laidOut: LayoutPlanningStage
  ) {
    var seats = laidOut.seating.seats(of: heard.people)
    guard let cuts = laidOut.layout as? CutsLayout else {
      (self.seats, shots, layouts) = (seats, [], laidOut.changes)
      return
    }
    let directed = DirectorInputBuilder(
      layout: cuts, seats: seats, speech: laidOut.speech,
      moving: ScreenMotionDetector.moving(heard.people), lines: said.words.lines, cut: cut,
      rate: request.frameRate)
    let placed = directed.shots(opened.recording.shots)
    let (named, alone) = (directed.names(placed), directed.alone(placed))
    for index in seats.indices where seats[index].slot.kind == .camera {
      let id = seats[index].slot.id
      seats[index].slot.direct(
        names: named[id] ?? [], alone: alone[id] ?? [], request.frameRate,
        before: heard.frameCount)
    }
    self.seats = seats
    shots = directed.planned(placed)
    layouts = placed.map { (cut[$0.frame], ShotLayout(shot: $0.shot)) }
  }
}
