import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem

/// Stage 1 of planning: the recording with all tracks placed, and the names of its participants.
struct TrackPlacementPlanningStage {
  /// The recording after placement.
  let recording: Recording
  let names: ParticipantNameResolver
  /// The alignment method by which tracks were placed.
  let alignment: AlignmentMethod
  let placement: CallTrackPlacement
  /// The idle stretches to leave out; `nil` if they are kept.
  let trim: IdleRangeFinder?

  /// - Throws: ``RenderError`` if an option names no participant.
  init(_ request: PlanningInput) throws(RenderError) {
    let (call, input) = (request.call, request.input)
    var names = ParticipantNameResolver(input.recording, input)
    try names.choose(call, request.rendition)
    self.names = names
    alignment = call.alignment ?? input.defaultAlignment
    placement = try CallTrackPlacement(
      input, request.probes, alignment, StatedStartTimes(call.offsets, names),
      audioTrack: call.audioTrack, findings: request.findings, readers: request.readers)
    var recording = placement.recording
    for gain in call.gains {
      recording.amplify(try names.id(of: gain.person, by: "\(option: "gain")"), by: gain.decibels)
    }
    self.recording = recording
    trim =
      call.trimsIdle ?? recording.trimsIdle ?? false
      ? IdleRangeFinder(recording, input.facts(request.probes, of: recording)) : nil
  }
}

extension Recording {
  /// Adds `decibels` to the gain of all tracks of the participant.
  fileprivate mutating func amplify(_ id: TesseraRecordings.Participant.ID, by decibels: Double) {
    guard let index = participants.firstIndex(where: { $0.id == id }) else { return }
    for track in participants[index].tracks.indices {
      participants[index].tracks[track].gain += decibels
    }
  }
}
