package import TesseraTimeline

/// What a director shows from a time on, in full-frame shots.
package struct ShotMark: Hashable, Sendable, Codable {
  /// What a shot shows.
  package enum Content: Hashable, Sendable, Codable {
    /// One person alone.
    case person(Participant.ID)
    /// Two people side by side.
    case people(Participant.ID, Participant.ID)
    /// Everybody, in a grid.
    case everybody
    /// Somebody's shared screen, with or without the active speaker in a corner.
    case screen(Participant.ID, withSpeaker: Bool)
  }

  /// When it begins, on the timeline.
  package var time: MediaTime
  package var content: Content

  /// A shot of `content` from `time` on.
  package init(_ time: MediaTime, _ content: Content) {
    (self.time, self.content) = (time, content)
  }
}
