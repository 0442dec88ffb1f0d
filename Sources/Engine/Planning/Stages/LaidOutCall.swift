import TesseraLayout
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// The fifth stage: the layouts over time, and the turns of speech that they follow.
struct LaidOutCall {
  /// The layout at the beginning.
  let layout: any LayoutPolicy
  /// The layouts that the recording changes to; none where one is asked for.
  let changes: [(frame: Int, layout: any LayoutPolicy)]
  /// True if the layouts depend on the active speaker.
  let followsSpeaker: Bool
  /// The turns that pictures and captions follow; empty where nothing does, because hearing takes
  /// time.
  let speech: SpeakerPlanner.Speech
  /// Each participant's own speech, overlaps and all.
  let speaking: [ParticipantID: [TimeRange]]
  /// Gives everybody seats; its ``SeatPlanner/speech`` is ``speech``.
  let seating: SeatPlanner

  /// - Throws: ``RenderError`` where a layout cannot be read, or an option names nobody.
  init(
    _ request: PlanRequest, _ opened: OpenedCall, _ heard: HeardCall
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
    var seating = SeatPlanner(
      rendition: rendition, events: events, frameCount: heard.frameCount,
      speech: SpeakerPlanner.Speech(), local: opened.names.local,
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
    // A recorder names the active speaker; the speech of each person is heard.
    speaking =
      call.wantsTurns && [.auto, .audio].contains(call.speakerSource)
      ? try heard.speakers.heard().speaking : speech.speaking
    seating.speech = speech
    self.seating = seating
  }

  /// The layout at the beginning. Where nobody can be large, nobody's voice is heard for it.
  private static func layoutAtFirst(
    _ request: PlanRequest, _ opened: OpenedCall, _ heard: HeardCall
  ) throws(RenderError) -> any LayoutPolicy {
    if let layout = request.rendition.layout { return layout }
    if let layout = opened.recording.layout { return try layout.policy(in: request.input) }
    if !opened.recording.shots.isEmpty {
      return try LayoutChoice.named("cuts").policy(in: request.input)
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
