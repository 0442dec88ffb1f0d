/// What a job's track lost because it brought its worker down twice.
package struct CrashLoss: Hashable, Sendable, Codable {
  /// The track's slot in the notes of workers: in a render, the number that is its identifier.
  package var track: Int
  /// Where on the timeline it is lost from on, in nanoseconds.
  package var time: Int64
  /// How the workers ended.
  package var manner: String

  /// The loss of a track from a time on.
  package init(track: Int, time: Int64, manner: String) {
    (self.track, self.time, self.manner) = (track, time, manner)
  }

  /// Each of `losses` once, in an order that does not depend on who found which of them first.
  package static func ordered(_ losses: [CrashLoss]) -> [CrashLoss] {
    Set(losses).sorted { ($0.track, $0.time, $0.manner) < ($1.track, $1.time, $1.manner) }
  }
}
