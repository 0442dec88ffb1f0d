import TesseraLayout
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Stage 5 of planning: the layouts over time, and the speakers' turns that they follow.
struct LayoutPlanningStage {
  /// The layout at the start.
  let layout: any LayoutPolicy
  /// The layout changes of the recording; empty if the user selects a layout.
  let changes: [(frame: Int, layout: any LayoutPolicy)]
  /// True if the layouts depend on the active speaker.
  let followsSpeaker: Bool
  /// The turns that layouts and highlights follow. Empty if nothing needs them, because decoding
  /// the voices takes time.
  let speech: ActiveSpeakerPlanner.Speech
  /// The speech of each participant, including overlaps.
  let speaking: [ParticipantID: [TimeRange]]
  /// The planner for seats; its ``SlotBuilder/speech`` is ``speech``.
  let seating: SlotBuilder

  /// - Throws: ``RenderError`` if a layout cannot be read, or if an option names no participant.
  init(
    _ request: PlanningInput, _ opened: TrackPlacementPlanningStage,
    _ heard: ParticipantPlanningStage
  ) throws(RenderError) {
    let (call, rendition) = (request.call, request.rendition)
    let (people, events) = (heard.people, heard.events)
    layout = try Self.layoutAtFirst(request, opened, heard)
    changes =
      rendition.layout != nil
      ? []
      : try events.layouts.map { change throws(RenderError) in
        (change.frame, try change.layout.policy(in: request.input))
      }
    var seating = SlotBuilder(
      rendition: rendition, events: events, frameCount: heard.frameCount,
      speech: ActiveSpeakerPlanner.Speech(), local: opened.names.local,
      kept: try rendition.keptVisible.map { kept throws(RenderError) in
        try opened.names.id(of: kept.person, by: "\(option: "keep-visible")")
      }, hidden: try opened.names.hidden(rendition))
    var follows = layout.followsSpeaker || changes.contains(where: \.layout.followsSpeaker)
    if !follows, rendition.hasPictures {
      let scenes = ScenePlanner(
        rendition: rendition, frameCount: heard.frameCount, layout: layout, layouts: changes,
        events: events, followsSpeaker: false)
      follows = try scenes.scrolls(seating.seats(of: people))
    }
    followsSpeaker = follows
    let isFollowed =
      follows || people.count > rendition.maximumTiles
      || rendition.output.style.highlightsSpeaker
    let source =
      isFollowed && people.count > 1 || call.wantsTurns ? call.speakerSource : .none
    speech = try heard.speakers.speech(source, events: events)
    // The recorder's events name only the active speaker; each person's own speech is detected in
    // the voices.
    speaking =
      call.wantsTurns && [.auto, .audio].contains(call.speakerSource)
      ? try heard.speakers.heard().speaking : speech.speaking
    seating.speech = speech
    self.seating = seating
  }

  /// Returns the layout at the start. An automatic layout without a large tile does not follow the
  /// speaker, so that no voices are decoded for it.
  private static func layoutAtFirst(
    _ request: PlanningInput, _ opened: TrackPlacementPlanningStage,
    _ heard: ParticipantPlanningStage
  ) throws(RenderError) -> any LayoutPolicy {
    if let layout = request.rendition.layout { return layout }
    if let layout = opened.recording.layout { return try layout.policy(in: request.input) }
    if !opened.recording.shots.isEmpty {
      return try RequestedLayout.named("cuts").policy(in: request.input)
    }
    var layout = AutoLayout()
    layout.followsSpeaker =
      !heard.events.focus.isEmpty
      || heard.people.contains { person in
        person.isFocused || person.lanes.contains { $0.kind == .screen }
      }
    return layout
  }
}
