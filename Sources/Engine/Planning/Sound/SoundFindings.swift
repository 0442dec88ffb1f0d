import TesseraCaptions
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// What was found in the sound of a call, for all plans that are made of it: nothing is heard twice.
/// Not to be shared by threads.
final class SoundFindings {
  private var heard: [VoiceSource: VoiceAnalyses.Heard] = [:]
  private var sides: [VoiceSource: SoundSide?] = [:]
  /// What a recognizer wrote, by all that it depends on.
  var transcripts: [String: Transcript] = [:]
  private var alignments: [Positions: SoundAlignment.Found] = [:]

  /// What an alignment is found from.
  private struct Positions: Hashable {
    var tracks: [Track.ID]
    var voices: [VoiceSource]
    var fixed: [TesseraRecordings.Participant.ID: MediaTime]
  }

  /// What is in `voices`, in their order; `hear` hears those of which nothing is known.
  func heard(
    _ voices: [VoiceSource],
    _ hear: ([VoiceSource]) throws(RenderError) -> [VoiceAnalyses.Heard?]
  ) throws(RenderError) -> [VoiceAnalyses.Heard?] {
    let unknown = voices.filter { heard[$0] == nil }
    for (voice, found) in zip(unknown, try hear(unknown)) { heard[voice] = found }
    return voices.map { heard[$0] }
  }

  /// The sides that `voices` are on, in their order; `find` finds those that nothing is known of.
  func sides(
    _ voices: [VoiceSource], _ find: ([VoiceSource]) throws(RenderError) -> [SoundSide?]
  ) throws(RenderError) -> [SoundSide?] {
    let unknown = voices.filter { sides[$0] == nil }
    for (voice, found) in zip(unknown, try find(unknown)) { sides[voice] = .some(found) }
    return voices.map { sides[$0] ?? nil }
  }

  /// Where `units` are, people in `fixed` being known; `find` finds it.
  func alignment(
    of units: [SoundUnit], fixed: [TesseraRecordings.Participant.ID: MediaTime],
    _ find: () throws(RenderError) -> SoundAlignment.Found
  ) throws(RenderError) -> SoundAlignment.Found {
    let positions = Positions(
      tracks: units.flatMap(\.tracks).map(\.id), voices: units.flatMap(\.voices), fixed: fixed)
    if let known = alignments[positions] { return known }
    let found = try find()
    alignments[positions] = found
    return found
  }
}
