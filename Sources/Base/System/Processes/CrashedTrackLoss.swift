/// The loss of a track that crashed its worker twice.
package struct CrashedTrackLoss: Hashable, Sendable, Codable {
  /// The track's slot in the workers' crash notes; in a render, the track's identifying number.
  package var track: Int
  /// The time on the timeline from which on the track is lost, in nanoseconds.
  package var time: Int64
  /// A description of how the workers ended.
  package var manner: String

  package init(track: Int, time: Int64, manner: String) {
    (self.track, self.time, self.manner) = (track, time, manner)
  }

  /// Returns `losses` without duplicates, in an order that does not depend on which worker found
  /// them.
  package static func ordered(_ losses: [CrashedTrackLoss]) -> [CrashedTrackLoss] {
    Set(losses).sorted { ($0.track, $0.time, $0.manner) < ($1.track, $1.time, $1.manner) }
  }
}
