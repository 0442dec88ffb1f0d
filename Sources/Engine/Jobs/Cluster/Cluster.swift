package import TesseraSystem

/// Commands that are to run somewhere on a cluster.
package struct ClusterSubmission: Hashable, Sendable {
  /// What it is called in the queue.
  var name: String
  /// The program and its arguments; those of an array are followed by the task's number.
  var command: [String]
  /// How many tasks it has, and how many of them run at once at most; nil for a single command.
  var array: (count: Int, atOnce: Int)? { count.map { ($0, atOnce) } }
  private var count: Int?
  private var atOnce = 1
  /// What has to have ended well before it begins; nil for nothing.
  var after: String?
  /// The exit codes that mean that all is well.
  var accepted: [Int32] = [0]
  /// The folder for its script.
  var folder: String
  /// Where what it says is written; that of a task has its number for `%`.
  var log: String

  /// A single command that begins after the array `after`.
  init(
    _ name: String, command: [String], after: String, accepted: [Int32], folder: String, log: String
  ) {
    (self.name, self.command, self.after) = (name, command, after)
    (self.accepted, self.folder, self.log) = (accepted, folder, log)
  }

  /// An array of `count` tasks, `atOnce` of them at a time.
  init(
    _ name: String, command: [String], count: Int, atOnce: Int, folder: String, log: String
  ) {
    (self.name, self.command, self.count, self.atOnce) = (name, command, count, atOnce)
    (self.folder, self.log) = (folder, log)
  }
}

/// The commands of a cluster; where and when anything runs is its own affair, a node that fails
/// too.
package protocol Cluster: Sendable {
  /// What people call its queue.
  var name: String { get }

  /// Queues commands; returns what names them there.
  func submit(_ submission: ClusterSubmission) async throws(RenderError) -> String

  /// The tasks of the array `id`, of `count`, that wait or run; those that are neither have ended,
  /// however.
  func open(_ id: String, count: Int) async -> Set<Int>

  /// Whether the single command `id` waits or runs, and can.
  func isOpen(_ id: String) async -> Bool

  /// Queues a task of an array again.
  func requeue(_ id: String, _ task: Int) async throws(RenderError)

  /// Takes back what was queued, whatever it is doing.
  func cancel(_ ids: [String]) async
}
