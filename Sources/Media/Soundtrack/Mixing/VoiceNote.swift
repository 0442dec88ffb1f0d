package import TesseraSystem
import TesseraTimeline

/// Where it is noted that a voice is being decoded, so that it can be blamed if that brings the
/// process down.
package struct VoiceNote: Sendable {
  private let note: CrashNote
  private let track: Int
  private let origin: Int64

  /// A note in the slot `track` of `note`; times count from `origin`, in nanoseconds.
  package init(_ note: CrashNote, track: Int, origin: Int64 = 0) {
    (self.note, self.track, self.origin) = (note, track, origin)
  }

  /// Notes that what is heard from sample `position` on is decoded now.
  func enter(_ position: Int64) {
    let time = MediaTime(sample: position, rate: Soundtrack.sampleRate)
    note.enter(.decoding, track: track, time: origin + time.nanoseconds)
  }

  /// Notes that it is done.
  func leave() { note.leave(track: track) }
}
