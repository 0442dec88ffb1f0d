import Glibc
package import TesseraMessages
package import TesseraSystem

/// A unit of work that can run by itself on any machine with access to the files, and can be
/// repeated.
package protocol Job: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The numbers of the job's parts, which run one after the other; nil if the job has no parts.
  var parts: Range<Int>? { get }

  /// Returns a job for a subset of the parts.
  func part(_ numbers: Range<Int>) -> Self

  /// True if the job cannot start before `other` is done.
  func follows(_ other: Self) -> Bool

  /// The jobs that this job combines, because each alone is too little work to start a worker for;
  /// empty for a single job.
  var several: [Self] { get }

  /// The base name of the job's files: notes and logs.
  var fileName: String { get }
}

extension Job {
  package func follows(_ other: Self) -> Bool { false }
  package var several: [Self] { [] }
}

/// A message that a job sends while it runs.
package enum JobEvent: Hashable, Sendable, Codable {
  /// `frames` more frames of a part are finished; they took `seconds`.
  case advanced(part: Int, frames: Int, seconds: Double)
  /// The share of the sound that is mixed, 0...1.
  case mixed(Double)
  /// The processor time, in seconds, that mixing the sound took.
  case spentOnSound(Double)
  /// A part of the job is finished and its file exists.
  case finished(part: Int)
  /// One of several renditions cannot be made, for the given reason. The others continue.
  case failed(rendition: Int, RenderError.Kind, UserMessage)
}

/// The result of a job.
package enum JobOutcome: Hashable, Sendable {
  /// The whole job is done.
  case finished
  /// The job cannot be done. A retry would fail, too.
  case failed(RenderError)
  /// The worker process ended without a result.
  case died(WorkerDeath)
  /// The job was canceled.
  case stopped
}

/// The death of a worker: its process ended without a result.
package struct WorkerDeath: Hashable, Sendable, Codable {
  /// A description of the end: `signal 9`, `exit code 70`, `memory ran out`.
  package var manner: String
  /// The track that the worker was processing, according to its crash note; nil if it noted none.
  package var blame: CrashNote.CrashSite?

  package init(manner: String, blame: CrashNote.CrashSite? = nil) {
    (self.manner, self.blame) = (manner, blame)
  }

  private static let memoryRanOut = "memory ran out"

  /// True if the cause of death may be temporary, so that a later attempt can succeed: the worker
  /// ran out of memory, or the system killed it, as it does when memory is low.
  static func isTransient(_ manner: String) -> Bool {
    manner == memoryRanOut || manner == "signal \(SIGKILL)"
  }

  /// Creates a death described by `manner`, unless the crash note at `path` records that memory ran
  /// out. If `manner` is nil, the description comes from the note.
  init(_ manner: String?, note path: String) {
    let blame = CrashNote.blame(at: path)
    let known = manner ?? blame.map { "signal \($0.signal)" } ?? "failed"
    self.init(manner: CrashNote.memoryRanOut(at: path) ? Self.memoryRanOut : known, blame: blame)
  }
}

/// Executes jobs of a render. Each of its workers runs it, on threads, in processes and on
/// clusters; workers that read for planning run ``TaskHandler``.
package protocol JobHandler<Work>: Sendable {
  associatedtype Work: Job

  /// Executes `job`, except for its finished parts. Returns early if it is canceled. Records in
  /// `note` what decoders are processing.
  func perform(
    _ job: Work, note: CrashNote?, cancellation: Cancellation,
    events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError)
}
