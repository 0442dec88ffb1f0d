/// The preferred evidence for placing tracks whose positions no recorder states.
public enum AlignmentMethod: String, Sendable, Codable, CaseIterable {
  /// The finest evidence that the files share.
  case auto
  /// All participants start together, each with the first picture or sound.
  case start
  /// All participants end together.
  case end
  /// The containers' own times are one clock.
  case container
  /// Wall clocks of all machines and devices count as one clock, and so does time code.
  case clock
  /// The sound that several files share. The caller compares it and passes the result as `moves`.
  case sound
}
