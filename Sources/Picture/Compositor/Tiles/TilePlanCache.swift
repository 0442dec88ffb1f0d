internal import TesseraPixels

/// An LRU cache of the plans of recently drawn tiles.
struct TilePlanCache: ~Copyable {
  private struct Entry {
    var plan: TilePlan
    var lastUse: UInt64
  }

  private let filter: ResampleFilter
  private let capacity: Int
  private var entries: [TilePlan.Key: Entry] = [:]
  private var parts: TilePlanResources
  private var uses: UInt64 = 0

  init(filter: ResampleFilter, kernels: PixelKernels, capacity: Int = 512) {
    self.filter = filter
    self.capacity = capacity
    self.parts = TilePlanResources(kernels: kernels)
  }

  /// Returns the plan of `key`, computed if it is not cached.
  mutating func plan(_ key: TilePlan.Key) -> TilePlan {
    uses += 1
    if let index = entries.index(forKey: key) {
      entries.values[index].lastUse = uses
      return entries.values[index].plan
    }
    if entries.count >= capacity { dropOldest() }
    let plan = TilePlan(key, filter: filter, sharing: &parts)
    entries[key] = Entry(plan: plan, lastUse: uses)
    return plan
  }

  private mutating func dropOldest() {
    guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    entries.removeValue(forKey: oldest.key)
  }
}
