import TesseraCodecs
import TesseraLayout
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// All stages of planning one rendition, in order, and the resulting plan. Each stage uses the
/// values of earlier stages, and has a file beside this one.
struct PlanningStages {
  private let request: PlanningInput
  private let placement: TrackPlacementPlanningStage
  private let participants: ParticipantPlanningStage
  private let transcript: TranscriptPlanningStage
  private let cuts: CutPlanningStage
  private let layouts: LayoutPlanningStage
  private let leveling: LevelingPlanningStage
  private let seating: SeatingPlanningStage
  private let scene: ScenePlanningStage

  /// - Throws: ``RenderError`` if the request contradicts itself or the call.
  init(_ request: PlanningInput) throws(RenderError) {
    self.request = request
    placement = try TrackPlacementPlanningStage(request)
    participants = try ParticipantPlanningStage(request, placement)
    transcript = try TranscriptPlanningStage(request, placement, participants)
    cuts = try CutPlanningStage(request, placement, participants, transcript)
    layouts = try LayoutPlanningStage(request, placement, participants)
    leveling = try LevelingPlanningStage(request, participants, transcript, cuts.cut)
    seating = SeatingPlanningStage(request, placement, participants, transcript, cuts.cut, layouts)
    scene = try ScenePlanningStage(request, participants, cuts.cut, layouts, seating)
  }

  /// Returns the finished plan, including everything that is drawn.
  ///
  /// - Throws: ``RenderError`` if nothing would be visible, or if a text or image cannot be drawn.
  func plan() throws(RenderError) -> Plan {
    var plan = content()
    try addChapters(&plan)
    plan.addCaptions(request.rendition.captionTracks)
    addLosses(&plan)
    addNotes(&plan)
    if request.rendition.hasPictures {
      try plan.refuseEmptiness(layouts.layout, request.rendition)
    }
    let (look, notes) = try DrawingPlanner(
      plan, people: participants.people, input: request.input, request.readers
    ).draw(
      request.rendition.overlays.adding(placement.recording, of: request.input)
        .adding(plan.wholeTranscript),
      clock: try request.rendition.clockTimes(wallClock: placement.recording.wallClockStart))
    plan.look = look
    plan.messages += notes
    return plan
  }

  /// Returns the plan of pictures, sound and transcript, without lettering.
  private func content() -> Plan {
    let (rendition, rate) = (request.rendition, request.frameRate)
    var plan = Plan(
      scenes: scene.scenes, output: rendition.output, frameCount: participants.frameCount,
      cut: cuts.cut)
    plan.output.video.size = scene.canvas
    plan.removals = cuts.removals(of: plan)
    plan.maybe = transcript.words.maybe
    plan.mutes = participants.people.flatMap { person in
      (transcript.words.mutes[person.id] ?? []).map {
        Plan.Turn(participant: person.id, interval: $0)
      }
    }
    plan.kept = scene.seats.first(where: \.isKept)?.slot.id
    plan.layoutFrames = layouts.changes.map(\.frame)
    plan.shots = seating.shots
    let transition = rendition.transition
    plan.output.contentShares = (0..<rate.firstFrame(showing: transition.duration)).map {
      UInt8((255 * transition.progress(elapsed: rate.time(ofFrame: $0))).rounded())
    }
    plan.output.title = plan.output.title ?? placement.recording.title
    plan.add(leveling.people, scene.seats.map(\.slot), local: placement.names.local)
    for index in plan.participants.indices {
      plan.participants[index].speech = layouts.speaking[plan.participants[index].id] ?? []
    }
    plan.turns = layouts.speech.turns.map { Plan.Turn(participant: $0.id, interval: $0.interval) }
    let hearing = plan.hearing
    plan.lines = zip(transcript.words.lines, transcript.said.isWanted).filter(\.1).map {
      hearing.heard($0.0)
    }
    return plan
  }

  private func addChapters(_ plan: inout Plan) throws(RenderError) {
    guard request.rendition.hasChapters else { return }
    let own = request.rendition.ownChapters ?? placement.recording.chapters
    plan.output.chapters = own.isEmpty ? plan.chapters() : plan.chapters(own)
    plan.messages += own.noteOnChapters(after: participants.end).map { [$0] } ?? []
    // Participants who join before the first word or leave after the last one start no chapter.
    guard own.isEmpty, !plan.output.chapters.isEmpty, plan.spoken.isEmpty,
      request.call.speakerSource != .none
    else { return }
    let speech = try participants.speakers.speech(
      request.call.speakerSource, events: participants.events)
    plan.output.chapters = plan.chapters(spoken: speech.speaking.values.flatMap { $0 })
  }

  private func addLosses(_ plan: inout Plan) {
    plan.losses += leveling.people.flatMap(\.losses) + placement.placement.losses
    let (rendition, layout) = (request.rendition, layouts.layout)
    if rendition.hasPictures {
      let isGrid = layout is GridLayout || layout is AutoLayout
      plan.addWhatIsNotSeen(
        isPart: rendition.partSource != nil,
        isLimited: isGrid && scene.seats.count > rendition.maximumTiles
      ) { scene.sizeForEveryone }
    }
    if cuts.cut.count < participants.frameCount {
      let times = plan.times
      plan.losses.removeAll { $0.located(at: times) == nil }
    }
  }

  private func addNotes(_ plan: inout Plan) {
    let input = request.input
    plan.messages +=
      request.call.notes + request.rendition.notes + input.notes + placement.placement.notes
      + (placement.trim?.notes ?? [])
    plan.messages += CallNoteCollector(
      input: input, recording: placement.recording, probes: request.probes
    ).sentences(participants.everyone, shown: plan.shown)
    if [.start, .auto].contains(placement.alignment), input.isPlainList {
      plan.messages += participants.sound.beginnings(leveling.people)
    }
    plan.messages += (scene.faceNote.map { [$0] } ?? []) + cuts.notes + leveling.notes
    plan.messages += transcript.said.notes + transcript.words.notes
  }
}
