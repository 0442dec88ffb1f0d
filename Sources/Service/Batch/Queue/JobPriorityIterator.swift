package import TesseraSystem

/// Iterates over the jobs of a list by descending priority. The list is read once for each
/// priority, so that it never has to fit in memory.
package final class JobPriorityIterator {
  private let list: JobList
  private let job: (JobListReader.Entry) -> BatchJob?
  private var lines: JobListReader
  private var priorities: [Int]
  /// The error that ended reading of the list early; `nil` if there was none so far.
  package private(set) var failure: RenderError?

  /// Creates the iteration over `list`, whose jobs have the given priorities.
  ///
  /// - Parameters:
  ///   - list: The list of jobs.
  ///   - priorities: The distinct priorities of the jobs.
  ///   - job: Converts an entry to a job; returns `nil` for an entry to skip.
  /// - Throws: ``RenderError`` if the list cannot be opened.
  package init(
    _ list: JobList, _ priorities: Set<Int>, job: @escaping (JobListReader.Entry) -> BatchJob?
  ) throws(RenderError) {
    (self.list, self.job) = (list, job)
    lines = try JobListReader(list)
    self.priorities = priorities.sorted(by: >)
  }

  package func next() -> BatchJob? {
    while let priority = priorities.first {
      while let entry = lines.next() {
        if let job = job(entry), job.priority == priority { return job }
      }
      failure = failure ?? lines.failure
      priorities.removeFirst()
      guard !priorities.isEmpty else { return nil }
      do throws(RenderError) {
        lines = try JobListReader(list)
      } catch {
        failure = RenderError(.failure, error.sentence)
        return nil
      }
    }
    return nil
  }
}
