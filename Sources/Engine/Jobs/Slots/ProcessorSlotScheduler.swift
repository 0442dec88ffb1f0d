/// Decides which jobs of a batch may keep a processor busy. A value type that receives events and
/// does no I/O.
///
/// Requests of earlier jobs come first, so that jobs end in about the order in which they start. A
/// request that needs more memory than is left waits, and all requests after it wait, too;
/// otherwise a large job could wait forever. A request that needs more than the machine's memory
/// runs alone.
package struct ProcessorSlotScheduler: Sendable {
  /// A job's request for a slot.
  package struct Request: Hashable, Sendable {
    /// The job's number, in the order in which jobs started.
    package var job: Int
    /// The job's own number for the request.
    package var id: Int
    /// Estimated bytes of memory that the job uses in the slot.
    package var memory: Int

    package init(job: Int, id: Int, memory: Int) {
      (self.job, self.id, self.memory) = (job, id, memory)
    }
  }

  /// Number of slots; at least 1.
  package let count: Int
  private let memory: Int
  private var waiting: [Request] = []
  private var granted: [Request] = []

  /// Creates `count` slots that may use `memory` bytes together.
  package init(count: Int, memory: Int) { (self.count, self.memory) = (max(1, count), memory) }

  /// Number of granted slots.
  package var busy: Int { granted.count }

  /// Number of slots for each job while all jobs want some; at least 1.
  package var share: Int { max(1, count / max(1, Set((waiting + granted).map(\.job)).count)) }

  /// Adds a job's request for a slot.
  package mutating func add(_ request: Request) {
    let place = waiting.firstIndex { $0.job > request.job } ?? waiting.endIndex
    waiting.insert(request, at: place)
  }

  /// Removes a request that is withdrawn or whose slot is no longer used.
  package mutating func remove(job: Int, id: Int) { remove { $0.job == job && $0.id == id } }

  /// Removes all requests of a job that has ended.
  package mutating func remove(job: Int) { remove { $0.job == job } }

  private mutating func remove(where isMeant: (Request) -> Bool) {
    waiting.removeAll(where: isMeant)
    granted.removeAll(where: isMeant)
  }

  /// Grants waiting requests and returns them.
  package mutating func grant() -> [Request] {
    var new: [Request] = []
    while let next = waiting.first, granted.count < count, granted.isEmpty || fits(next) {
      granted.append(waiting.removeFirst())
      new.append(next)
    }
    return new
  }

  private func fits(_ request: Request) -> Bool {
    granted.reduce(request.memory) { $0 + $1.memory } <= memory
  }
}
