package import TesseraCodecs
package import TesseraSoundtrack
package import TesseraSystem
package import TesseraTimeline

/// Everything that the sound of the rendered part is made from: what is not in it cannot be heard,
/// and what is encoded of it is what the soundtrack's digest covers.
///
/// Times count from the beginning of the rendered part.
package struct SoundInput: Sendable, Encodable {
  /// Where that is on the plan's timeline, for messages.
  @Uncovered package var origin: MediaTime
  /// How it is encoded.
  package let encoder: SoundEncoderSettings
  /// The number of samples of what is mixed.
  package let mixedCount: Int64
  /// What of it is kept; nil where that is all of it.
  package let splices: SoundCut?
  /// What is mixed, in the plan's order.
  package let voices: [Voice]

  /// A voice of the mix.
  package struct Voice: Sendable, Encodable {
    /// Which one of the plan's it is.
    @Uncovered package var id: TrackID
    /// Its place among them, by which reports name it.
    package let number: Int
    /// What is heard, up to where it is lost.
    package let source: VoiceSource
  }
}

extension SoundInput {
  /// The number of samples of what comes out.
  package var sampleCount: Int64 { splices?.sampleCount ?? mixedCount }

  /// The same wherever its files lie.
  package var anywhere: SoundInput {
    SoundInput(
      origin: origin, encoder: encoder, mixedCount: mixedCount, splices: splices,
      voices: voices.map { voice in
        var source = voice.source
        source.sound.path = ""
        return Voice(id: voice.id, number: voice.number, source: source)
      })
  }
}

extension Plan {
  /// The number of samples of the output's sound.
  package var sampleCount: Int64 {
    output.video.frameRate.sample(ofFrame: cut.count, sampleRate: Soundtrack.sampleRate)
  }

  /// Where the rendered part begins.
  private var start: MediaTime { output.video.frameRate.time(ofFrame: frames.lowerBound) }

  /// What the sound is made from, without what `losses` take away.
  package func soundInput(without losses: [CrashLoss] = []) -> SoundInput {
    SoundInput(
      origin: start, encoder: output.audio,
      mixedCount: output.video.frameRate.sample(
        ofFrame: frames.count, sampleRate: Soundtrack.sampleRate),
      splices: cut.isContinuous ? nil : SoundCut(cut, at: output.video.frameRate),
      voices: placedVoices(losses))
  }

  private func placedVoices(_ losses: [CrashLoss]) -> [SoundInput.Voice] {
    var placed: [SoundInput.Voice] = []
    for (number, voice) in voices.enumerated() {
      var source = voice.source
      let lost = losses.filter { $0.id == voice.id }.map(\.end).min()
      if let lost, lost <= source.interval.start { continue }
      let end = lost.map { min($0, source.interval.end) } ?? source.interval.end
      source.start = source.start - start
      source.interval = TimeRange(
        start: max(.zero, source.interval.start - start), end: end - start)
      placed.append(SoundInput.Voice(id: voice.id, number: number, source: source))
    }
    return placed
  }
}
