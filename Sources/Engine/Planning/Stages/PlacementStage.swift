import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem

/// Stage 1 of planning: the recording with all tracks placed, and the names of its participants.
struct PlacementStage {
  /// The recording after placement.
  let recording: Recording
  let names: ParticipantNames
  /// The alignment method by which tracks were placed.
  let alignment: Alignment
  let placement: CallPlacement
  /// The idle stretches to leave out; `nil` if they are kept.
  let trim: IdleTrim?

  /// - Throws: ``RenderError`` if an option names no participant.
  init(_ request: PlanRequest) throws(RenderError) {
    let (call, input) = (request.call, request.input)
    var names = ParticipantNames(input.recording, input)
    try names.choose(call, request.rendition)
    self.names = names
    alignment = call.alignment ?? input.defaultAlignment
    placement = try CallPlacement(
      input, request.probes, alignment, StatedPlaces(call.offsets, names),
      audioTrack: call.audioTrack, findings: request.findings, readers: request.readers)
    var recording = placement.recording
    for gain in call.gains {
      recording.amplify(try names.id(of: gain.person, by: "\(option: "gain")"), by: gain.decibels)
    }
    self.recording = recording
    trim =
      call.trimsIdle ?? recording.trimsIdle ?? false
      ? IdleTrim(recording, input.facts(request.probes, of: recording)) : nil
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
