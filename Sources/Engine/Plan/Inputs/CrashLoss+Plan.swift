package import TesseraSystem
package import TesseraTimeline

extension CrashLoss {
  /// Where sound has to end so that nothing of what was decoded then is decoded again: a second
  /// before, as decoding, resampling and fading look ahead.
  package var end: MediaTime { MediaTime(nanoseconds: max(0, time -| 1_000_000_000)) }
}

extension CrashLoss {
  /// The track of a plan that is lost.
  package var id: TrackID { TrackID(rawValue: track) }
}

extension TrackID {
  /// The track's slot in the notes of workers that render.
  package var slot: Int { rawValue }
}

extension Plan {
  /// How many slots a note of workers needs that render the plan.
  package var slotCount: Int {
    (tracks.map(\.id) + voices.map(\.id)).map(\.slot).reduce(-1, max) + 1
  }
}
