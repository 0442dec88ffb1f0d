public import TesseraLayout
public import TesseraTimeline

/// The start of a participant's recordings on the timeline.
public struct PersonOffset: Hashable, Sendable {
  /// The participant, named as in ``CallOptions/local``.
  public var person: String
  /// The time on the timeline. Anything before zero is cut off.
  public var time: MediaTime

  /// Creates an offset that starts the recordings of `person` at `time`.
  public init(person: String, time: MediaTime) { (self.person, self.time) = (person, time) }
}

/// The gain of a participant's audio.
public struct PersonGain: Hashable, Sendable {
  /// The participant, named as in ``CallOptions/local``.
  public var person: String
  /// The gain in dB, `-96...48`.
  public var decibels: Double

  /// Creates a gain of `decibels` for `person`.
  public init(person: String, decibels: Double) {
    (self.person, self.decibels) = (person, decibels)
  }
}

/// The source of the active speaker.
public enum SpeakerSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The recorder's events if it reports speakers, otherwise the voices.
  case auto
  /// Voice activity in the audio.
  case audio
  /// The recorder's events.
  case events
  /// No active speaker.
  case none
}

/// The point of a participant's picture that cropping keeps visible.
public struct PersonFocus: Hashable, Sendable {
  /// The participant, by any of their names.
  public var person: String
  /// The point in units of the picture's width and height, both `0...1`.
  public var point: Point

  /// Creates a focus on `point` of the picture of `person`.
  public init(person: String, point: Point) { (self.person, self.point) = (person, point) }
}

/// The choice of participants that get a tile.
public enum TiledParticipants: String, Hashable, Sendable, Codable, CaseIterable {
  /// All participants.
  case all
  /// Participants whose camera or screen is on, only while it is on.
  case cameras
}
