/// The identifier of a participant: what the recording calls the person, unique in a plan.
public struct ParticipantID: Hashable, Sendable, Codable, RawRepresentable {
  /// The identifier as text.
  public let rawValue: String

  /// The identifier `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The identifier of a track: one stretch of one stream of a file, unique in a plan.
public struct TrackID: Hashable, Comparable, Sendable, Codable, RawRepresentable {
  /// The identifier as a number.
  public let rawValue: Int

  /// The identifier `rawValue`.
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static func < (a: TrackID, b: TrackID) -> Bool { a.rawValue < b.rawValue }

  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The identifier of a slot: the number by which the layout knows it, unique in a plan.
package typealias SlotID = Int
