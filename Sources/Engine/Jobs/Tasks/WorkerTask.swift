package import TesseraSystem

/// Something that workers find out about recordings, and whose result is wanted here.
package protocol WorkerTask: Sendable, Codable {
  associatedtype Result: Sendable, Codable

  /// What workers are told to choose this kind of tasks.
  static var name: String { get }
  /// What is being done where it is one of many.
  var phase: String { get }
  /// The files that are read.
  var paths: [String] { get }
  /// The folder that is written into; nil where none is.
  var target: String? { get }
  /// How many things it reads can be blamed, each by itself, for the end of a worker; nil where
  /// only the whole task can.
  var suspectCount: Int? { get }
  /// What it takes, in bytes of packets that are only read.
  var work: Double { get }

  /// Loads libraries that it needs: before a sandbox in which they would not be found.
  func loadLibraries()

  /// What comes of it where the file at `path` lies outside of the folder `root` that was named for
  /// all files.
  func refusal(of path: String, outside root: String) -> Result

  /// Does the task, noting what is decoded in the slot `number` of `note`, without what `losses`
  /// say brought workers down; nil where somebody asked to stop.
  func perform(
    _ number: Int, note: CrashNote?, without losses: [CrashLoss], cancellation: Cancellation
  ) -> Result?
}

extension WorkerTask {
  package var target: String? { nil }
  package var suspectCount: Int? { nil }
  package func loadLibraries() {}
}

/// Some of the tasks in a folder, one after the other.
package struct TaskJob: Job {
  /// The tasks' numbers.
  package let numbers: Range<Int>

  package var parts: Range<Int>? { numbers }
  package func part(_ numbers: Range<Int>) -> TaskJob { TaskJob(numbers: numbers) }
  package var fileName: String { "\(numbers.lowerBound)-\(numbers.upperBound - 1)" }
  package var description: String { "task \(numbers.lowerBound)" }
}
