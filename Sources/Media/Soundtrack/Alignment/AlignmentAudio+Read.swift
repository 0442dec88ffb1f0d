package import TesseraSystem
import TesseraTimeline

extension AlignmentAudio {
  /// Reads the audio of the mix of all `voices`, from the timeline's beginning to the last voice's
  /// end or for at most `seconds`. Unreadable sound is silence.
  ///
  /// - Throws: `CancellationError` if `cancellation` was requested.
  package static func read(
    _ voices: [VoiceSource], seconds: Int, note: VoiceCrashNote? = nil, cancellation: Cancellation
  ) throws(CancellationError) -> AlignmentAudio {
    let end = voices.map(\.interval.end).max() ?? .zero
    let count = min(
      end.sample(atRate: Soundtrack.sampleRate), Int64(seconds * Soundtrack.sampleRate))
    var mixer = Mixer(
      voices.map { ($0, note) }, sampleCount: count, cancellation: cancellation)
    var audio = AlignmentAudio()
    var position: Int64 = 0
    while position < count {
      if cancellation.isCancelled { throw CancellationError() }
      let frames = Int(min(4096, count - position))
      var block = [Float](repeating: 0, count: 2 * frames)
      mixer.next(into: &block)
      audio.append(block)
      position += Int64(frames)
    }
    return audio
  }
}
