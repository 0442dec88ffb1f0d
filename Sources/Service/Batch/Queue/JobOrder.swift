package import TesseraSystem

/// The jobs of a list, those of a higher priority first: the list is read once for each.
package final class JobOrder {
  private let list: JobList
  private let job: (JobLines.Entry) -> BatchJob?
  private var lines: JobLines
  private var priorities: [Int]
  /// The reason that the list could not be read again; nil if it was, or is still being read.
  package private(set) var failure: RenderError?

  /// The jobs that `job` makes of the entries of `list`, which have these priorities; nil for one
  /// that is not meant.
  package init(
    _ list: JobList, _ priorities: Set<Int>, job: @escaping (JobLines.Entry) -> BatchJob?
  ) throws(RenderError) {
    (self.list, self.job) = (list, job)
    lines = try JobLines(list)
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
        lines = try JobLines(list)
      } catch {
        failure = RenderError(.failure, error.sentence)
        return nil
      }
    }
    return nil
  }
}
