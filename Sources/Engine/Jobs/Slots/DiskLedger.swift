/// Which jobs of a batch may fill a disk: a value to which events are passed.
///
/// What a job was granted counts until its end as if it had written nothing of it yet, so that jobs
/// wait rather than meet on a full disk. One that is alone on a disk is granted whatever it needs:
/// it looks for itself, and says what is missing.
package struct DiskLedger: Sendable {
  /// The request of one job.
  package struct Request: Hashable, Sendable {
    /// The job, by the order in which jobs began.
    package var job: Int
    /// Its own number for the request.
    package var id: Int
    /// A folder on the disk.
    package var folder: String
    /// The disk.
    package var disk: UInt64
    /// Bytes that it writes, about.
    package var bytes: Int

    /// The request `id` of `job`.
    package init(job: Int, id: Int, folder: String, disk: UInt64, bytes: Int) {
      (self.job, self.id) = (job, id)
      (self.folder, self.disk, self.bytes) = (folder, disk, bytes)
    }
  }

  /// Requests that are not granted, those of earlier jobs first.
  package private(set) var waiting: [Request] = []
  private var granted: [Request] = []

  /// Nothing is written yet.
  package init() {}

  /// Notes a request.
  package mutating func add(_ request: Request) {
    let place = waiting.firstIndex { $0.job > request.job } ?? waiting.endIndex
    waiting.insert(request, at: place)
  }

  /// Notes that a job is at its end, or wants no more.
  package mutating func remove(job: Int) {
    waiting.removeAll { $0.job == job }
    granted.removeAll { $0.job == job }
  }

  /// Those of the waiting requests that are granted now, where `free` says how many bytes the disk
  /// with a folder has left; nil where that is unknown. Those after one that waits for the same disk
  /// wait, too: a large job would wait for ever otherwise.
  package mutating func grant(free: (String) -> Int?) -> [Request] {
    var (new, kept): ([Request], [Request]) = ([], [])
    for request in waiting {
      let held = granted.filter { $0.disk == request.disk }.map(\.bytes)
      let isFirst = !kept.contains { $0.disk == request.disk }
      if isFirst, held.isEmpty || free(request.folder).map({ Self.fits(request, held, $0) }) ?? true
      {
        granted.append(request)
        new.append(request)
      } else {
        kept.append(request)
      }
    }
    waiting = kept
    return new
  }

  private static func fits(_ request: Request, _ held: [Int], _ free: Int) -> Bool {
    held.reduce(request.bytes) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 } <= free
  }
}
