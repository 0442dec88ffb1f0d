package import TesseraJobs
import TesseraMedia
package import TesseraPlan
import TesseraPlanning
package import TesseraSoundtrack
import TesseraTimeline

/// What a render made and what each participant contributed to it and lost.
package struct RenderReport: Sendable, Codable {
  /// The file.
  package var output = ""
  /// Its length in seconds.
  package var duration: Double
  /// Its size in bytes.
  package var byteCount = 0
  /// Its frames.
  package var frameCount: Int
  /// How long it took, in seconds.
  package var elapsed = 0.0
  /// Luma and chroma samples that were written onto the canvas.
  package var pixelsWritten: Int
  /// What every participant came to, in their order.
  package var inputs: [Input]
  /// What is worth knowing, but no loss; a sentence each.
  package var notes: [String]
  /// What happened in the call; nil where it was not planned.
  package var call: CallRecord?
  /// Why there is no output; nil where there is one.
  package var error: String?

  /// What one participant came to.
  package struct Input: Sendable, Codable {
    /// The participant's identifier in the plan.
    package var id: ParticipantID
    /// What the participant is called.
    package var name: String
    /// The participant's files.
    package var files: [String]
    /// The pictures of all tracks together; nil where there are none.
    package var pictures: PictureReport?
    /// The sound of all tracks together; nil where there is none.
    package var sound: VoiceReport?
    /// What each stretch of the person's sound came to.
    package var voices: [RenderReport.Voice]
    /// What was lost; empty for a participant who was rendered whole.
    package var losses: [Loss]
  }

  /// How well one stretch of sound fits its times.
  package struct Voice: Sendable, Codable {
    /// Its file.
    package var file: String
    /// Its stream's place in the file.
    package var stream: Int
    /// By how much its clock differs from its times, in parts per million; above 0 where it is
    /// slow.
    package var driftPartsPerMillion: Double
    /// How often sound was moved because something is missing or recorded twice.
    package var breakCount: Int
    /// Seconds of silence in the gaps between what was recorded.
    package var silence: Double
  }

  /// Seconds of timeline rendered in a second.
  package var speed: Double { elapsed > 0 ? duration / elapsed : 0 }
  /// Everything that was lost, in the participants' order.
  package var allLosses: [Loss] { inputs.flatMap(\.losses) }
  /// Whether anything was lost.
  package var hasLosses: Bool { inputs.contains { !$0.losses.isEmpty } }
}

extension RenderReport {
  /// The report on `plan`, whose tracks came to `pictures` and whose voices came to `voices`, in the
  /// plan's order; `hasPictures` is whether the output has any.
  init(
    _ plan: Plan, pictures: [TrackID: PictureReport], voices: [VoiceReport], pixelsWritten: Int,
    hasPictures: Bool = true
  ) {
    let sounds = Dictionary(
      uniqueKeysWithValues: zip(plan.voices.map(\.id), voices))
    let inputs = plan.participants.map { participant in
      Input(participant, of: plan, pictures, sounds)
    }
    self.init(
      duration: plan.duration.seconds, frameCount: hasPictures ? plan.frames.count : 0,
      pixelsWritten: pixelsWritten, inputs: inputs, notes: plan.notes,
      call: CallRecord(plan, hasPictures: hasPictures))
  }
}

extension RenderReport {
  /// The report on a render that failed; `plan` is nil where it did not come that far.
  package init(failed error: RenderError, _ plan: Plan?) {
    if let plan {
      self.init(plan, pictures: [:], voices: [], pixelsWritten: 0)
    } else {
      self.init(duration: 0, frameCount: 0, pixelsWritten: 0, inputs: [], notes: [])
    }
    self.error = error.message
  }
}

extension RenderReport.Input {
  fileprivate init(
    _ participant: Plan.Participant, of plan: Plan, _ pictures: [TrackID: PictureReport],
    _ sounds: [TrackID: VoiceReport]
  ) {
    (id, name, files) = (participant.id, participant.name, participant.files)
    voices = []
    losses = plan.losses.filter { $0.participant == participant.id }
    for track in plan.tracks where track.participant == participant.id {
      guard let report = pictures[track.id] else { continue }
      self.pictures = self.pictures.map { $0 + report } ?? report
      losses += report.losses(of: track)
    }
    for voice in plan.voices where voice.participant == participant.id {
      guard let report = sounds[voice.id] else { continue }
      self.sound = self.sound.map { $0 + report } ?? report
      voices.append(RenderReport.Voice(voice, report))
      losses += report.losses(of: voice)
    }
  }
}

extension RenderReport.Voice {
  fileprivate init(_ voice: Plan.Voice, _ report: VoiceReport) {
    file = voice.source.path
    stream = voice.source.sound.track.stream.index
    driftPartsPerMillion = report.driftPartsPerMillion
    breakCount = report.breakCount
    silence = Double(report.silentSamples) / Double(Soundtrack.sampleRate)
  }
}
