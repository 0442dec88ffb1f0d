public import TesseraLayout
public import TesseraTimeline

/// Where somebody's recordings begin on the timeline.
public struct PersonOffset: Hashable, Sendable {
  /// Who, named as in ``CallOptions/local``.
  public var person: String
  /// Where; what lies before zero is cut off.
  public var time: MediaTime

  /// `person`'s recordings begin at `time`.
  public init(person: String, time: MediaTime) { (self.person, self.time) = (person, time) }
}

/// How much louder somebody is.
public struct PersonGain: Hashable, Sendable {
  /// Who, named as in ``CallOptions/local``.
  public var person: String
  /// By how much, in decibels.
  public var decibels: Double

  /// `person` is louder by `decibels`.
  public init(person: String, decibels: Double) {
    (self.person, self.decibels) = (person, decibels)
  }
}

/// Where the active speaker is known from.
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
  /// Who, by any of the person's names.
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
