/// Objects that are in use, found again by what they were made from.
///
/// It does not keep them: an object lives as long as something else does so.
package struct SharedObjects<Key: Hashable, Object: AnyObject> {
  private struct Reference {
    weak var object: Object?
  }

  private var references: [Key: Reference] = [:]
  /// The number of references at which those to objects that are gone are dropped.
  private var limit = 64

  /// Nothing yet.
  package init() {}

  /// The object of `key`, made where there is none.
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
