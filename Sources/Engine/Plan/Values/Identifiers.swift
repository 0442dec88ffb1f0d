/// The identifier of a participant: the recording's own identifier of the person, unique in a plan.
package struct ParticipantID: Hashable, Sendable, Codable, RawRepresentable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of a track: one stretch of one stream of a file, unique in a plan. Voices have
/// track identifiers, too.
package struct TrackID: Hashable, Comparable, Sendable, Codable, RawRepresentable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static func < (a: TrackID, b: TrackID) -> Bool { a.rawValue < b.rawValue }
}

/// The identifier of a slot, by which the layout refers to it; unique in a plan.
package typealias SlotID = Int
