import TesseraRecordings
import TesseraSystem
import TesseraTimeline

/// Stage 2 of planning: all participants, with their pictures and voices on the call's timeline.
struct ParticipantPlanningStage {
  /// All participants with all of their voices.
  let everyone: [PlannedParticipant]
  /// All participants with the voices that are to be heard. Cameras hold their pictures at the ends
  /// of the call.
  let people: [PlannedParticipant]
  /// The end of the last recording.
  let end: MediaTime
  /// The person whose recording ends last; `nil` if there is none.
  let last: PlannedParticipant?
  /// The number of frames up to ``end``.
  let frameCount: Int
  let sound: SoundPlanner
  let events: FrameIndexedEvents

  /// - Throws: ``RenderError`` if an option names no participant, or if pictures at the ends cannot
  ///   be read.
  init(_ request: PlanningInput, _ opened: TrackPlacementPlanningStage) throws(RenderError) {
    let (rendition, recording) = (request.rendition, opened.recording)
    var assembly = CallAssembler(
      request.input, placed: recording, probes: request.probes, frameRate: request.frameRate,
      freezeAfter: rendition.freezeAfter, audioTrack: request.call.audioTrack)
    everyone = assembly.people(opened.names)
    end = recording.end(of: everyone)
    last = recording.last(of: everyone)
    frameCount = request.frameRate.frameCount(of: end)
    sound = SoundPlanner(
      rendition: rendition, names: opened.names, duration: end, analyses: request.analyses)
    people = try EndPictureHold(
      rendition: rendition, input: request.input, recording: recording, probes: request.probes,
      frameCount: frameCount, readers: request.readers, cache: request.call.cache
    ).held(try sound.heard(everyone))
    events = FrameIndexedEvents(recording, frameRate: request.frameRate, frameCount: frameCount)
  }

  /// The planner that finds the active speaker of this call.
  var speakers: ActiveSpeakerPlanner {
    ActiveSpeakerPlanner(people: people, duration: end, analyses: sound.analyses)
  }
}
