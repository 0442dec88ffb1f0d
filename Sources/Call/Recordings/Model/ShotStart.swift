package import TesseraTimeline

/// The start of a director's shot: a full-frame view that lasts until the next mark.
package struct ShotStart: Hashable, Sendable, Codable {
  /// The participants or the screen in a shot.
  package enum Subject: Hashable, Sendable, Codable {
    /// A single participant.
    case person(Participant.ID)
    /// Two participants side by side.
    case people(Participant.ID, Participant.ID)
    /// All participants, in a grid.
    case everybody
    /// A participant's shared screen, with or without the active speaker in a corner.
    case screen(Participant.ID, withSpeaker: Bool)
  }

  /// The start of the shot on the timeline.
  package var time: MediaTime
  package var content: Subject

  package init(_ time: MediaTime, _ content: Subject) {
    (self.time, self.content) = (time, content)
  }
}
