package import TesseraCaptions

/// A caption track stored beside the pictures, which players can turn on and off.
package struct CaptionTrack: Hashable, Sendable {
  /// The source of the captions, for messages.
  package var name: String
  /// The cues on the call's timeline, ordered by time.
  package var cues: [CaptionCue]
  /// True if the cues come from the call's transcript, with speaker names.
  package var isTranscript = false
  /// The language as an ISO 639-2 code, such as `eng`; `nil` if it is unknown.
  package var language: String?
  /// The title that players show for the track; `nil` lets players choose one.
  package var title: String?
  /// True if players show the captions unless the viewer turns them off.
  package var isDefault = false

  /// Creates a track from the call's transcript.
  package static func transcript(language: String? = nil, title: String? = nil) -> CaptionTrack {
    CaptionTrack(
      name: "the transcript", cues: [], isTranscript: true, language: language, title: title)
  }
}
