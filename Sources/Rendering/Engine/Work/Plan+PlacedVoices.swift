import TesseraMedia
import TesseraSoundtrack
import TesseraTimeline

extension Plan {
  /// The number of samples of the rendered part's sound.
  var sampleCount: Int64 {
    output.video.frameRate.sample(ofFrame: frames.count, sampleRate: Soundtrack.sampleRate)
  }

  /// Where the rendered part begins.
  var start: MediaTime { output.video.frameRate.time(ofFrame: frames.lowerBound) }

  /// The voices at their places in the rendered part, each with its number in the plan, up to where
  /// `losses` take it away.
  func placedVoices(without losses: [CrashLoss]) -> [(number: Int, source: VoiceSource)] {
    var placed: [(number: Int, source: VoiceSource)] = []
    for (number, voice) in voices.enumerated() {
      var source = voice.source
      let lost = losses.filter { $0.track == tracks.count + number }.map(\.end).min()
      if let lost, lost <= source.interval.start { continue }
      let end = lost.map { min($0, source.interval.end) } ?? source.interval.end
      source.start = source.start - start
      source.interval = TimeInterval(
        start: max(.zero, source.interval.start - start), end: end - start)
      placed.append((number, source))
    }
    return placed
  }
}
