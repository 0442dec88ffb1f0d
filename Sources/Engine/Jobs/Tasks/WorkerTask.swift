package import TesseraSystem

/// A task about recordings for worker processes, whose result the caller needs. A render's work is
/// made of ``Job``s instead.
package protocol WorkerTask: Sendable, Codable {
  associatedtype Result: Sendable, Codable

  /// The name of this kind of tasks in a ``TaskJob``.
  static var name: String { get }
  /// The name of the work in progress reports.
  var phase: String { get }
  /// The files that the task reads.
  var paths: [String] { get }
  /// The folder that the task writes to; nil if it writes none.
  var target: String? { get }
  /// Number of tracks that can be blamed separately for a worker's death; nil if only the whole
  /// task can be blamed.
  var suspectCount: Int? { get }
  /// The estimated cost, in bytes of packets that are only read.
  var work: Double { get }

  /// Loads the libraries that the task needs. Must run before the process enters a sandbox that
  /// hides them.
  func loadLibraries()

  /// Returns the result for a task whose file at `path` is outside of the folder `root` that all
  /// files must be in.
  func refusal(of path: String, outside root: String) -> Result

  /// Executes the task, without the tracks of `losses`, and records in slot `number` of `note` what
  /// is decoded. Returns nil if it is canceled.
  func result(
    _ number: Int, note: CrashNote?, without losses: [CrashedTrackLoss], cancellation: Cancellation
  ) -> Result?
}

extension WorkerTask {
  package var target: String? { nil }
  package var suspectCount: Int? { nil }
  package func loadLibraries() {}
}

/// Consecutive tasks of a folder, which one worker executes.
package struct TaskJob: Job {
  /// The ``WorkerTask/name`` of the tasks' kind.
  package let kind: String
  /// The path of the ``TaskExchangeFolder``.
  package let folder: String
  package var numbers: Range<Int>

  package var parts: Range<Int>? { numbers }
  package func part(_ numbers: Range<Int>) -> TaskJob {
    var part = self
    part.numbers = numbers
    return part
  }
  package var fileName: String { "\(numbers.lowerBound)-\(numbers.upperBound - 1)" }
  package var description: String { "task \(numbers.lowerBound)" }
}
