package import TesseraSystem
package import TesseraTimeline

extension CrashedTrackLoss {
  /// The time at which the lost track's sound ends: 1 s before the crash. Decoding, resampling and
  /// fading look ahead, so ending any later would decode the data that crashed again.
  package var end: MediaTime { MediaTime(nanoseconds: max(0, time -| 1_000_000_000)) }
}

extension CrashedTrackLoss {
  /// The identifier of the lost track in a plan of one rendition.
  package var id: TrackID { TrackID(rawValue: track) }
}

extension TrackID {
  /// The track's slot in the crash notes of render workers, unless `CrashNoteSlots` maps several
  /// renditions to common slots.
  package var slot: Int { rawValue }
}

extension Plan {
  /// Number of slots that the crash note of a worker needs to render the plan.
  package var slotCount: Int {
    (tracks.map(\.id) + voices.map(\.id)).map(\.slot).reduce(-1, max) + 1
  }
}
