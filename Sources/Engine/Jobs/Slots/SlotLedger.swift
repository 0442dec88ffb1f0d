/// Who may keep a processor of the machine busy: a value to which events are passed.
///
/// Requests of an earlier job come first, so that jobs end in about the order in which they begin.
/// One that needs more memory than there is left waits, and those after it do, too: a large job
/// would wait for ever otherwise. One that needs more than there is at all runs alone.
package struct SlotLedger: Sendable {
  /// A request of one job.
  package struct Request: Hashable, Sendable {
    /// The job, by the order in which jobs began.
    package var job: Int
    /// Its own number for the request.
    package var id: Int
    /// Bytes of memory that it takes, about.
    package var memory: Int

    /// The request `id` of `job`.
    package init(job: Int, id: Int, memory: Int) {
      (self.job, self.id, self.memory) = (job, id, memory)
    }
  }

  /// How many there are.
  package let count: Int
  private let memory: Int
  private var waiting: [Request] = []
  private var granted: [Request] = []

  /// That many slots, which may take `memory` bytes together.
  package init(count: Int, memory: Int) { (self.count, self.memory) = (max(1, count), memory) }

  /// How many are granted.
  package var busy: Int { granted.count }

  /// How many each of the jobs can have while all of them want some.
  package var share: Int { max(1, count / max(1, Set((waiting + granted).map(\.job)).count)) }

  /// Notes a request.
  package mutating func add(_ request: Request) {
    let place = waiting.firstIndex { $0.job > request.job } ?? waiting.endIndex
    waiting.insert(request, at: place)
  }

  /// Notes that a request is not wanted any more, or done with.
  package mutating func remove(job: Int, id: Int) { remove { $0.job == job && $0.id == id } }

  /// Notes that a job is at its end, whatever it had.
  package mutating func remove(job: Int) { remove { $0.job == job } }

  private mutating func remove(where isMeant: (Request) -> Bool) {
    waiting.removeAll(where: isMeant)
    granted.removeAll(where: isMeant)
  }

  /// Those of the waiting requests that are granted now.
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
