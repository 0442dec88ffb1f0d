internal import Synchronization

/// An object that equals only itself.
package protocol UniqueObject: AnyObject, Hashable {
  /// A number that no other object of this process has, not even after the object's end.
  var identity: UInt64 { get }
}

extension UniqueObject {
  /// Returns a number that was never returned before.
  static func newIdentity() -> UInt64 { identities.add(1, ordering: .relaxed).newValue }

  /// True if both are the same object.
  package static func == (one: Self, other: Self) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

private let identities = Atomic<UInt64>(0)
