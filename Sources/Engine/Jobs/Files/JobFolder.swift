import Foundation
package import TesseraSystem

/// What all work has beside it, whatever is made: what workers are doing, and what they lost.
///
///     losses/NAME.json   what of a piece brought workers down, so that it is made without
///     notes/             what workers are doing, and what they said
///     jobs.json          the jobs by their numbers, for tasks of a cluster
package struct JobFolder: Hashable, Sendable {
  /// The folder.
  package let path: String

  /// The folder at `path`; nothing is made yet.
  package init(_ path: String) { self.path = path }

  /// The folders in it.
  package static let folders = ["losses", "notes"]

  /// What a job's worker is doing.
  package func notePath(_ job: some Job) -> String { "\(path)/notes/\(job.fileName).note" }
  /// What a job's worker said on standard error.
  package func logPath(_ job: some Job) -> String { "\(path)/notes/\(job.fileName).log" }
  private func endPath(_ job: some Job) -> String { "\(path)/notes/\(job.fileName).end" }
  private func lossesPath(_ piece: String) -> String { "\(path)/losses/\(piece).json" }
  private var jobsPath: String { "\(path)/jobs.json" }

  /// What `piece` is made without, as recorded.
  package func losses(of piece: String) -> [CrashLoss] {
    JSONFile.value(at: lossesPath(piece)) ?? []
  }

  /// Records that `piece` has to do without a track from a time on; where that was not enough
  /// before, without all of it.
  package func record(_ loss: CrashLoss, of piece: String) throws(RenderError) {
    let losses = losses(of: piece)
    var loss = loss
    if losses.contains(where: { $0.track == loss.track }) { loss.time = 0 }
    try keep(losses + [loss], of: piece)
  }

  /// Has `piece` made without all of `losses`.
  package func keep(_ losses: [CrashLoss], of piece: String) throws(RenderError) {
    try JSONFile.write(CrashLoss.ordered(losses), to: lossesPath(piece))
  }

  /// Has a job that runs end before the part with that number.
  package func shorten(_ job: some Job, to end: Int) {
    try? JSONFile.write(end, to: endPath(job))
  }

  /// The part before which the running `job` ends: that of ``shorten(_:to:)``, or the end of its own.
  package func end(of job: some Job) -> Int {
    let end = job.parts?.upperBound ?? 0
    return min(end, JSONFile.value(at: endPath(job)) ?? end)
  }

  /// Forgets all recorded losses, so that what brought workers down is tried again.
  package func forgetLosses() { Self.empty("\(path)/losses") }

  /// Removes what workers noted.
  package func removeNotes() { Self.empty("\(path)/notes") }

  private static func empty(_ folder: String) {
    for name in FileSystem.names(in: folder) { FileSystem.remove("\(folder)/\(name)") }
  }

  /// Writes down the jobs that tasks of a cluster do.
  func put(_ jobs: [some Job]) throws(RenderError) { try JSONFile.write(jobs, to: jobsPath) }

  /// The job with that number.
  ///
  /// - Throws: where there is none.
  package func job<Work: Job>(
    _ number: Int, of type: Work.Type = Work.self
  ) throws(RenderError) -> Work {
    guard let jobs: [Work] = JSONFile.value(at: jobsPath), jobs.indices.contains(number) else {
      throw RenderError(.usage, "\(jobsPath) has no job \(number).")
    }
    return jobs[number]
  }
}
