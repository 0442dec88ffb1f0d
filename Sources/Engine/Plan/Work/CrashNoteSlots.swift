import TesseraCodecs
import TesseraSoundtrack
package import TesseraSystem

/// The slots of tracks in crash notes and in recorded losses. A stretch of a stream has the same
/// slot in every rendition, although its track identifiers may differ.
package struct CrashNoteSlots: Sendable {
  private let slots: [[TrackID: Int]]
  /// Number of slots that a worker's crash note needs for all renditions.
  package let count: Int

  private struct Stretch: Hashable {
    let path: String
    let stream: Int
    let first: Int
    let isHeard: Bool
  }

  /// Assigns slots to all tracks of `work`. In the main rendition, a track's slot is its
  /// identifier.
  package init(_ work: WorkPlan) {
    var known: [Stretch: Int] = [:]
    var (slots, count) = ([[TrackID: Int]](), 0)
    for rendition in work.renditions {
      let tracks = Self.stretches(rendition.plan)
      let isMain = slots.isEmpty
      if isMain { count = tracks.map { $0.id.rawValue + 1 }.max() ?? 0 }
      var own: [TrackID: Int] = [:]
      for (id, stretch) in tracks {
        let slot = isMain ? id.rawValue : known[stretch] ?? count
        count = max(count, slot + 1)
        known[stretch] = known[stretch] ?? slot
        own[id] = slot
      }
      slots.append(own)
    }
    (self.slots, self.count) = (slots, count)
  }

  private static func stretches(_ plan: Plan) -> [(id: TrackID, Stretch)] {
    plan.tracks.map { track in
      let (source, packets) = (track.source.track.stream, track.source.track.packets)
      return (
        track.id,
        Stretch(
          path: track.source.path, stream: source.index, first: packets.lowerBound, isHeard: false)
      )
    }
      + plan.voices.map { voice in
        let track = voice.source.sound.track
        return (
          voice.id,
          Stretch(
            path: voice.source.path, stream: track.stream.index, first: track.packets.lowerBound,
            isHeard: true)
        )
      }
  }

  package func slot(of id: TrackID, in rendition: Int) -> Int { slots[rendition][id] ?? 0 }

  /// Translates `losses`, whose tracks are slots, to the track identifiers of a rendition. Losses
  /// of tracks that the rendition does not have are dropped.
  package func losses(_ losses: [CrashedTrackLoss], in rendition: Int) -> [CrashedTrackLoss] {
    losses.compactMap { loss in
      guard let id = slots[rendition].first(where: { $0.value == loss.track })?.key else {
        return nil
      }
      return CrashedTrackLoss(track: id.rawValue, time: loss.time, manner: loss.manner)
    }
  }
}
