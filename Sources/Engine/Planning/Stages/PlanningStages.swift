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
  private let opened: TrackPlacementStage
  private let heard: ParticipantStage
  private let said: TranscriptStage
  private let cut: CutStage
  private let laidOut: LayoutStage
  private let sound: LevelingStage
  private let seated: SeatingStage
  private let staged: SceneStage

  /// - Throws: ``RenderError`` if the request contradicts itself or the call.
  init(_ request: PlanningInput) throws(RenderError) {
    self.request = request
    opened = try TrackPlacementStage(request)
    heard = try ParticipantStage(request, opened)
    said = try TranscriptStage(request, opened, heard)
    cut = try CutStage(request, opened, heard, said)
    laidOut = try LayoutStage(request, opened, heard)
    sound = try LevelingStage(request, heard, said, cut.cut)
    seated = SeatingStage(request, opened, heard, said, cut.cut, laidOut)
    staged = try SceneStage(request, heard, cut.cut, laidOut, seated)
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
      try plan.refuseEmptiness(laidOut.layout, request.rendition)
    }
    let (look, notes) = try DrawingPlanner(
      plan, people: heard.people, input: request.input, request.readers
    ).draw(
      request.rendition.overlays.adding(opened.recording, of: request.input)
        .adding(plan.wholeTranscript),
      clock: try request.rendition.clockTimes(wallClock: opened.recording.wallClockStart))
    plan.look = look
    plan.messages += notes
    return plan
  }

  /// Returns the plan of pictures, sound and transcript, without lettering.
  private func content() -> Plan {
    let (rendition, rate) = (request.rendition, request.frameRate)
    var plan = Plan(
      scenes: staged.scenes, output: rendition.output, frameCount: heard.frameCount, cut: cut.cut)
    plan.output.video.size = staged.canvas
    plan.removals = cut.removals(of: plan)
    plan.maybe = said.words.maybe
    plan.mutes = heard.people.flatMap { person in
      (said.words.mutes[person.id] ?? []).map { Plan.Turn(participant: person.id, interval: $0) }
    }
    plan.kept = staged.seats.first(where: \.isKept)?.slot.id
    plan.layoutFrames = laidOut.changes.map(\.frame)
    plan.shots = seated.shots
    let transition = rendition.transition
    plan.output.contentShares = (0..<rate.firstFrame(showing: transition.duration)).map {
      UInt8((255 * transition.progress(elapsed: rate.time(ofFrame: $0))).rounded())
    }
    plan.output.title = plan.output.title ?? opened.recording.title
    plan.add(sound.people, staged.seats.map(\.slot), local: opened.names.local)
    for index in plan.participants.indices {
      plan.participants[index].speech = laidOut.speaking[plan.participants[index].id] ?? []
    }
    plan.turns = laidOut.speech.turns.map { Plan.Turn(participant: $0.id, interval: $0.interval) }
    let hearing = plan.hearing
    plan.lines = zip(said.words.lines, said.said.isWanted).filter(\.1).map { hearing.heard($0.0) }
    return plan
  }

  private func addChapters(_ plan: inout Plan) throws(RenderError) {
    guard request.rendition.hasChapters else { return }
    let own = request.rendition.ownChapters ?? opened.recording.chapters
    plan.output.chapters = own.isEmpty ? plan.chapters() : plan.chapters(own)
    // Participants who join before the first word or leave after the last one start no chapter.
    guard own.isEmpty, !plan.output.chapters.isEmpty, plan.spoken.isEmpty,
      request.call.speakerSource != .none
    else { return }
    let speech = try heard.speakers.speech(request.call.speakerSource, events: heard.events)
    plan.output.chapters = plan.chapters(spoken: speech.speaking.values.flatMap { $0 })
  }

  private func addLosses(_ plan: inout Plan) {
    plan.losses += sound.people.flatMap(\.losses) + opened.placement.losses
    let (rendition, layout) = (request.rendition, laidOut.layout)
    if rendition.hasPictures {
      let isGrid = layout is GridLayout || layout is AutoLayout
      plan.addWhatIsNotSeen(isLimited: isGrid && staged.seats.count > rendition.maximumTiles) {
        staged.sizeForEveryone
      }
    }
    if cut.cut.count < heard.frameCount {
      let times = plan.times
      plan.losses.removeAll { $0.located(at: times) == nil }
    }
  }

  private func addNotes(_ plan: inout Plan) {
    let input = request.input
    plan.messages +=
      request.call.notes + request.rendition.notes + input.notes + opened.placement.notes
      + (opened.trim?.notes ?? [])
    plan.messages += CallNoteCollector(
      input: input, recording: opened.recording, probes: request.probes
    ).sentences(heard.everyone, shown: plan.shown)
    if [.start, .auto].contains(opened.alignment), input.isPlainList {
      plan.messages += heard.sound.beginnings(sound.people)
    }
    plan.messages += (staged.faceNote.map { [$0] } ?? []) + cut.notes + sound.notes
    plan.messages += said.said.notes + said.words.notes
  }
}
