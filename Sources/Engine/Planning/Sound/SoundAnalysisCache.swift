import TesseraCaptions
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Results of decoding a call's audio, shared by all plans of the call so that nothing is decoded
/// twice. Not thread-safe.
final class SoundAnalysisCache {
  private var heard: [VoiceSource: VoiceAnalyses.AnalyzedVoice] = [:]
  private var sides: [VoiceSource: StereoChannel?] = [:]
  /// The transcripts from the speech recognizer, by cache key.
  var transcripts: [String: Transcript] = [:]
  private var alignments: [AlignmentKey: CallSoundAligner.AlignmentResult] = [:]

  /// The inputs of an alignment, as a key for its result.
  private struct AlignmentKey: Hashable {
    var tracks: [Track.ID]
    var voices: [VoiceSource]
    var fixed: [TesseraRecordings.Participant.ID: MediaTime]
  }

  /// Returns the analyses of `voices`, in their order; `hear` analyzes those that are not known
  /// yet.
  func heard(
    _ voices: [VoiceSource],
    _ hear: ([VoiceSource]) throws(RenderError) -> [VoiceAnalyses.AnalyzedVoice?]
  ) throws(RenderError) -> [VoiceAnalyses.AnalyzedVoice?] {
    let unknown = voices.filter { heard[$0] == nil }
    for (voice, found) in zip(unknown, try hear(unknown)) { heard[voice] = found }
    return voices.map { heard[$0] }
  }

  /// Returns the sides of `voices`, in their order; `find` determines those that are not known yet.
  func sides(
    _ voices: [VoiceSource], _ find: ([VoiceSource]) throws(RenderError) -> [StereoChannel?]
  ) throws(RenderError) -> [StereoChannel?] {
    let unknown = voices.filter { sides[$0] == nil }
    for (voice, found) in zip(unknown, try find(unknown)) { sides[voice] = .some(found) }
    return voices.map { sides[$0] ?? nil }
  }

  /// Returns the alignment of `units` with the participants in `fixed` at known places; `find`
  /// computes it if it is not known yet.
  func alignment(
    of units: [AlignmentUnit], fixed: [TesseraRecordings.Participant.ID: MediaTime],
    _ find: () throws(RenderError) -> CallSoundAligner.AlignmentResult
  ) throws(RenderError) -> CallSoundAligner.AlignmentResult {
    let positions = AlignmentKey(
      tracks: units.flatMap(\.tracks).map(\.id), voices: units.flatMap(\.voices), fixed: fixed)
    if let known = alignments[positions] { return known }
    let found = try find()
    alignments[positions] = found
    return found
  }
}
