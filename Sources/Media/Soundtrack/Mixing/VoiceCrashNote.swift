package import TesseraSystem
import TesseraTimeline

/// A crash note for a voice: records that the voice is being decoded, so that the voice can be
/// blamed if the process crashes.
package struct VoiceCrashNote: Sendable {
  private let note: CrashNote
  private let track: Int
  private let origin: Int64

  /// Creates a note in slot `track` of `note`. Times are relative to `origin`, in nanoseconds.
  package init(_ note: CrashNote, track: Int, origin: Int64 = 0) {
    (self.note, self.track, self.origin) = (note, track, origin)
  }

  /// Records that the sound from sample `position` of the timeline on is being decoded.
  func enter(_ position: Int64) {
    let time = MediaTime(sample: position, rate: Soundtrack.sampleRate)
    note.enter(.decoding, track: track, time: origin + time.nanoseconds)
  }

  /// Clears the note: the voice is not being decoded any more and is not blamed for a later crash.
  func leave() { note.leave(track: track) }
}
