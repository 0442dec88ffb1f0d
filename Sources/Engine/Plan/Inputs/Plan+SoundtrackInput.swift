package import TesseraCodecs
package import TesseraSoundtrack
package import TesseraSystem
package import TesseraTimeline

/// Everything that mixing and encoding the sound reads. Its encoding is what the soundtrack's
/// digest covers, so a value that is missing here cannot be heard.
///
/// Times count from the start of the rendered part.
package struct SoundtrackInput: Sendable, Encodable {
  /// The start of the rendered part on the plan's timeline, for messages.
  @ExcludedFromDigest package var origin: MediaTime
  package let encoder: SoundEncoderSettings
  /// Number of samples that are mixed, before parts are cut.
  package let mixedCount: Int64
  /// The parts of the mix that are kept; nil keeps all of it.
  package let splices: SampleSelection?
  /// The mixed voices, in the plan's order.
  package let voices: [Voice]

  package struct Voice: Sendable, Encodable {
    /// The voice's identifier in the plan.
    @ExcludedFromDigest package var id: TrackID
    /// The voice's index in the plan's voices, which reports use.
    package let number: Int
    /// The source of the voice's samples. Its interval ends where the voice is given up after
    /// crashes.
    package let source: VoiceSource
  }
}

extension SoundtrackInput {
  /// Number of samples that remain after parts of the mix are cut.
  package var sampleCount: Int64 { splices?.sampleCount ?? mixedCount }

  /// A copy without file paths, so that the digest does not depend on where the files are stored.
  package var anywhere: SoundtrackInput {
    SoundtrackInput(
      origin: origin, encoder: encoder, mixedCount: mixedCount, splices: splices,
      voices: voices.map { voice in
        var source = voice.source
        source.sound.path = ""
        return Voice(id: voice.id, number: voice.number, source: source)
      })
  }
}

extension Plan {
  /// Number of samples of the output's sound.
  package var sampleCount: Int64 {
    output.video.frameRate.sample(ofFrame: cut.count, sampleRate: Soundtrack.sampleRate)
  }

  /// The start of the rendered part.
  private var start: MediaTime { output.video.frameRate.time(ofFrame: frames.lowerBound) }

  /// Returns everything that the sound is made from, except the voices that `losses` give up.
  package func soundInput(without losses: [CrashedTrackLoss] = []) -> SoundtrackInput {
    SoundtrackInput(
      origin: start, encoder: output.audio,
      mixedCount: output.video.frameRate.sample(
        ofFrame: frames.count, sampleRate: Soundtrack.sampleRate),
      splices: cut.isContinuous ? nil : SampleSelection(cut, at: output.video.frameRate),
      voices: placedVoices(losses))
  }

  private func placedVoices(_ losses: [CrashedTrackLoss]) -> [SoundtrackInput.Voice] {
    var placed: [SoundtrackInput.Voice] = []
    for (number, voice) in voices.enumerated() {
      var source = voice.source
      let lost = losses.filter { $0.id == voice.id }.map(\.end).min()
      if let lost, lost <= source.interval.start { continue }
      let end = lost.map { min($0, source.interval.end) } ?? source.interval.end
      source.start = source.start - start
      source.interval = TimeRange(
        start: max(.zero, source.interval.start - start), end: end - start)
      placed.append(SoundtrackInput.Voice(id: voice.id, number: number, source: source))
    }
    return placed
  }
}
