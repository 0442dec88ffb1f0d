/// A cache of objects in use, found by the key that they were created from.
///
/// References are weak: an object lives only as long as something else retains it.
package struct WeakCache<Key: Hashable, Object: AnyObject> {
  private struct Reference {
    weak var object: Object?
  }

  private var references: [Key: Reference] = [:]
  /// The number of references at which those to freed objects are removed.
  private var limit = 64

  package init() {}

  /// Returns the living object of `key`, created by `make` if there is none.
  package mutating func object(_ key: Key, make: () -> Object) -> Object {
    if let object = references[key]?.object { return object }
    let object = make()
    if references.count >= limit {
      references = references.filter { $0.value.object != nil }
      limit = max(64, 2 * references.count)
    }
    references[key] = Reference(object: object)
    return object
  }
}
