/// The identifier of a participant: the recording's own identifier of the person, unique in a plan.
package struct ParticipantID: Hashable, Sendable, Codable, RawRepresentable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The identifier of a track: one stretch of one stream of a file, unique in a plan. Voices have
/// track identifiers, too.
package struct TrackID: Hashable, Comparable, Sendable, Codable, RawRepresentable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static func < (a: TrackID, b: TrackID) -> Bool { a.rawValue < b.rawValue }

  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The identifier of a slot, by which the layout refers to it; unique in a plan.
package typealias SlotID = Int
