import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// The first stage: every track at its place, and the names by which people are called.
struct OpenedCall {
  /// The recording with every track at its place.
  let recording: Recording
  let names: PeopleNames
  /// The preference by which tracks were placed.
  let alignment: Alignment
  let placement: CallPlacement
  /// The idle times that are left out; nil where they stay.
  let trim: IdleTrim?

  /// - Throws: ``RenderError`` where an option names nobody.
  init(_ request: PlanRequest) throws(RenderError) {
    let (call, input) = (request.call, request.input)
    var names = PeopleNames(input.recording, input)
    try names.choose(call, request.rendition)
    self.names = names
    alignment = call.alignment ?? input.usualAlignment
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
  /// Makes all sound of the participant so much louder.
  fileprivate mutating func amplify(_ id: TesseraRecordings.Participant.ID, by decibels: Double) {
    guard let index = participants.firstIndex(where: { $0.id == id }) else { return }
    for track in participants[index].tracks.indices {
      participants[index].tracks[track].gain += decibels
    }
  }
}
