import TesseraCodecs
import TesseraSoundtrack
package import TesseraSystem

/// The slots of tracks in notes of workers and in recorded losses: the same stretch of a stream has
/// the same one in every rendition, whatever identifier it has there.
package struct TrackSlots: Sendable {
  /// The slot of each track, by rendition.
  private let slots: [[TrackID: Int]]
  /// How many slots a note needs.
  package let count: Int

  private struct Stretch: Hashable {
    let path: String
    let stream: Int
    let first: Int
    let isHeard: Bool
  }

  /// The slots of all tracks of `work`; those of the main rendition are its tracks' numbers.
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

  /// The slot of a track of a rendition.
  package func slot(of id: TrackID, in rendition: Int) -> Int { slots[rendition][id] ?? 0 }

  /// What `losses`, which name tracks by their slots, are in a rendition; those of tracks that it
  /// does not have are none.
  package func losses(_ losses: [CrashLoss], in rendition: Int) -> [CrashLoss] {
    losses.compactMap { loss in
      guard let id = slots[rendition].first(where: { $0.value == loss.track })?.key else {
        return nil
      }
      return CrashLoss(track: id.rawValue, time: loss.time, manner: loss.manner)
    }
  }
}
