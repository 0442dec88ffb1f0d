import Foundation
import TesseraMessages
package import TesseraSystem

/// The files of running jobs: crash notes, logs and recorded losses.
///
///     losses/NAME.json   the tracks that crashed workers on a piece, which is made without them
///     notes/             crash notes and logs of workers
///     jobs.json          the jobs by number, for tasks of a cluster
package struct JobRecordFolder: Hashable, Sendable {
  package let path: String

  /// Refers to the folder at `path`. Creates no files.
  package init(_ path: String) { self.path = path }

  /// The names of the subfolders.
  package static let folders = ["losses", "notes"]

  /// Returns the path of the crash note of a job's worker.
  package func notePath(_ job: some Job) -> String { "\(path)/notes/\(job.fileName).note" }
  /// Returns the path of the log: the standard error of a job's worker.
  package func logPath(_ job: some Job) -> String { "\(path)/notes/\(job.fileName).log" }
  private func endPath(_ job: some Job) -> String { "\(path)/notes/\(job.fileName).end" }
  private func lossesPath(_ piece: String) -> String { "\(path)/losses/\(piece).json" }
  private var jobsPath: String { "\(path)/jobs.json" }

  /// Returns the recorded crash losses that apply to `piece`.
  package func losses(of piece: String) -> [CrashedTrackLoss] {
    JSONFile.value(at: lossesPath(piece)) ?? []
  }

  /// Records that `piece` is made without a track from a time on. If the track already has a loss,
  /// the piece is made without all of it.
  package func record(_ loss: CrashedTrackLoss, of piece: String) throws(RenderError) {
    let losses = losses(of: piece)
    var loss = loss
    if losses.contains(where: { $0.track == loss.track }) { loss.time = 0 }
    try keep(losses + [loss], of: piece)
  }

  /// Replaces the recorded losses of `piece`.
  package func keep(_ losses: [CrashedTrackLoss], of piece: String) throws(RenderError) {
    try JSONFile.write(CrashedTrackLoss.ordered(losses), to: lossesPath(piece))
  }

  /// Makes a running job end before part `end`.
  package func shorten(_ job: some Job, to end: Int) {
    try? JSONFile.write(end, to: endPath(job))
  }

  /// Returns the part before which the running `job` ends: the one that ``shorten(_:to:)`` set, or
  /// its own end.
  package func end(of job: some Job) -> Int {
    let end = job.parts?.upperBound ?? 0
    return min(end, JSONFile.value(at: endPath(job)) ?? end)
  }

  /// Deletes all recorded losses, so that tracks that crashed workers are tried again.
  package func forgetLosses() { Self.empty("\(path)/losses") }

  /// Deletes all crash notes and logs.
  package func removeNotes() { Self.empty("\(path)/notes") }

  private static func empty(_ folder: String) {
    for name in FileOperations.names(in: folder) { FileOperations.remove("\(folder)/\(name)") }
  }

  /// Writes the job list for tasks of a cluster.
  func put(_ jobs: [some Job]) throws(RenderError) { try JSONFile.write(jobs, to: jobsPath) }

  /// Reads job `number`.
  ///
  /// - Throws: ``RenderError`` of kind `usage` if there is no such job.
  package func job<Work: Job>(
    _ number: Int, of type: Work.Type = Work.self
  ) throws(RenderError) -> Work {
    guard let jobs: [Work] = JSONFile.value(at: jobsPath), jobs.indices.contains(number) else {
      throw RenderError(.usage, "\(file: jobsPath) has no job \(number).")
    }
    return jobs[number]
  }
}
