/// Decides which jobs of a batch may fill a disk. A value type that receives events and does no
/// I/O.
///
/// The whole grant of a job counts as unwritten until the job ends, so that jobs wait instead of
/// filling the disk together. A job that is alone on a disk always gets its grant: it checks the
/// free space itself and reports what is missing.
package struct DiskSpaceScheduler: Sendable {
  /// A job's request for disk space.
  package struct Request: Hashable, Sendable {
    /// The job's number, in the order in which jobs started.
    package var job: Int
    /// The job's own number for the request.
    package var id: Int
    /// A folder on the disk that the job writes to.
    package var folder: String
    /// The device number of the disk that the job writes to.
    package var disk: UInt64
    /// The estimated number of bytes that the job will write.
    package var bytes: Int

    package init(job: Int, id: Int, folder: String, disk: UInt64, bytes: Int) {
      (self.job, self.id) = (job, id)
      (self.folder, self.disk, self.bytes) = (folder, disk, bytes)
    }
  }

  /// Requests that are not granted yet, earlier jobs first.
  package private(set) var waiting: [Request] = []
  private var granted: [Request] = []

  /// Creates a ledger without requests.
  package init() {}

  /// Adds a job's request for disk space.
  package mutating func add(_ request: Request) {
    let place = waiting.firstIndex { $0.job > request.job } ?? waiting.endIndex
    waiting.insert(request, at: place)
  }

  /// Removes all requests of a job that has ended.
  package mutating func remove(job: Int) {
    waiting.removeAll { $0.job == job }
    granted.removeAll { $0.job == job }
  }

  /// Grants waiting requests and returns them. `free` returns the free bytes of the disk that
  /// contains a folder; nil if unknown. Requests behind a waiting one for the same disk wait, too;
  /// otherwise a large job could wait forever.
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
