package import TesseraSystem

/// A command, or an array of tasks, for a cluster's queue.
package struct ClusterSubmission: Hashable, Sendable {
  var name: String
  /// The program and its arguments. Tasks of an array get their number as a last argument.
  var command: [String]
  /// Number of tasks, and how many run at once; nil for a single command.
  var array: (count: Int, atOnce: Int)? { count.map { ($0, atOnce) } }
  private var count: Int?
  private var atOnce = 1
  /// The identifier of the job that has to succeed first; nil if there is none.
  var after: String?
  /// The folder for the submission script.
  var folder: String
  /// The file for the command's output. `%` stands for the task number.
  var log: String

  /// Creates a single command that runs after the array `after` has succeeded.
  init(_ name: String, command: [String], after: String, folder: String, log: String) {
    (self.name, self.command, self.after) = (name, command, after)
    (self.folder, self.log) = (folder, log)
  }

  /// Creates an array of `count` tasks, `atOnce` of them at a time.
  init(
    _ name: String, command: [String], count: Int, atOnce: Int, folder: String, log: String
  ) {
    (self.name, self.command, self.count, self.atOnce) = (name, command, count, atOnce)
    (self.folder, self.log) = (folder, log)
  }
}

/// A cluster's queue. Placing jobs and replacing failed nodes is left to the scheduler.
package protocol ClusterQueue: Sendable {
  /// The scheduler's name in messages.
  var name: String { get }

  /// Submits commands. Returns the identifier of the submission.
  func submit(_ submission: ClusterSubmission) async throws(RenderError) -> String

  /// Returns the tasks of the array `id` of `count` tasks that wait or run. All others have ended,
  /// with success or not.
  func open(_ id: String, count: Int) async -> Set<Int>

  /// True if the single command `id` is running, or waiting for something that can still happen.
  func isOpen(_ id: String) async -> Bool

  /// Submits a task of an array again.
  func requeue(_ id: String, _ task: Int) async throws(RenderError)

  /// Cancels jobs, whether they wait or run.
  func cancel(_ ids: [String]) async
}
