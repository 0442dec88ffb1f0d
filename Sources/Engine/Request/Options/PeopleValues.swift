public import TesseraLayout
public import TesseraTimeline

/// The begin of a participant's recordings on the timeline.
public struct PersonOffset: Hashable, Sendable {
  /// The participant, named as in ``CallOptions/local``.
  public var person: String
  /// The time on the timeline; recordings are cut off before zero.
  public var time: MediaTime

  /// `person`'s recordings begin at `time`.
  public init(person: String, time: MediaTime) { (self.person, self.time) = (person, time) }
}

/// The gain of a participant's sound.
public struct PersonGain: Hashable, Sendable {
  /// The participant, named as in ``CallOptions/local``.
  public var person: String
  /// By how much, in decibels.
  public var decibels: Double

  /// `person` is louder by `decibels`.
  public init(person: String, decibels: Double) {
    (self.person, self.decibels) = (person, decibels)
  }
}

/// The source of the active speaker.
public enum SpeakerSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The recorder where it does, else the voices.
  case auto
  /// The voices.
  case audio
  /// The recorder.
  case events
  /// Nothing.
  case none
}

/// The point of somebody's picture that cropping keeps in sight.
public struct FitFocus: Hashable, Sendable {
  /// The participant, by any of their names.
  public var person: String
  /// The point in units of the picture's width and height, both 0...1.
  public var point: Point

  /// `point` of `person`'s picture.
  public init(person: String, point: Point) { (self.person, self.point) = (person, point) }
}

/// The people who have a tile.
public enum TileChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// Everyone.
  case all
  /// Only those whose camera or screen is on, while it is.
  case cameras
}
