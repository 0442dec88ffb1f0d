import Glibc
package import TesseraSystem

/// A piece of work that can be done on its own, anywhere the files are, and again.
package protocol Job: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The parts that are done one after the other; nil where it is one piece.
  var parts: Range<Int>? { get }

  /// Those of its parts alone.
  func part(_ numbers: Range<Int>) -> Self

  /// True if it cannot begin before `other` is done.
  func follows(_ other: Self) -> Bool

  /// The jobs that it consists of, which are done one after the other because each alone is too
  /// little to start a worker for; empty where it is one.
  var several: [Self] { get }

  /// A name for files that belong to it.
  var fileName: String { get }
}

extension Job {
  package func follows(_ other: Self) -> Bool { false }
  package var several: [Self] { [] }
}

/// What a job reports while it runs.
package enum JobEvent: Hashable, Sendable, Codable {
  /// As many further frames of a part are made; how long that took in seconds.
  case advanced(part: Int, frames: Int, seconds: Double)
  /// As much of the sound is mixed, 0...1.
  case mixed(Double)
  /// Mixing the sound took as many seconds of processor time.
  case spentOnSound(Double)
  /// A part of a job is finished, and its file there.
  case finished(part: Int)
  /// One of several renditions cannot be made, for that reason; the others go on.
  case failed(rendition: Int, RenderError.Kind, Message)
}

/// How a job ended.
package enum JobEnd: Hashable, Sendable {
  /// All of it is done.
  case finished
  /// It cannot be done, and could not if it were tried again.
  case failed(RenderError)
  /// The process that did it is gone.
  case died(Death)
  /// Somebody asked to stop.
  case stopped
}

/// The end of a worker that did not end by itself.
package struct Death: Hashable, Sendable, Codable {
  /// How it ended: `signal 9`, `exit code 70`, `memory ran out`.
  package var manner: String
  /// Whom it noted as the one it was busy with; nil where it was nobody.
  package var blame: CrashNote.Blame?

  /// A death of that manner.
  package init(manner: String, blame: CrashNote.Blame? = nil) {
    (self.manner, self.blame) = (manner, blame)
  }

  /// What a death is called for want of memory.
  private static let memoryRanOut = "memory ran out"

  /// Whether a job that was ended in this manner may succeed at another time: its memory ran out,
  /// or the system killed it, which it does for want of memory.
  static func mayPass(_ manner: String) -> Bool {
    manner == memoryRanOut || manner == "signal \(SIGKILL)"
  }

  /// A death of that manner, unless the note at `path` says that memory ran out; nil where only the
  /// note can say it.
  init(_ manner: String?, note path: String) {
    let blame = CrashNote.blame(at: path)
    let known = manner ?? blame.map { "signal \($0.signal)" } ?? "failed"
    self.init(manner: CrashNote.memoryRanOut(at: path) ? Self.memoryRanOut : known, blame: blame)
  }
}

/// Does the jobs of one kind: what workers run, wherever they are.
package protocol Performer<Work>: Sendable {
  associatedtype Work: Job

  /// Does `job`, but for what is finished already; returns early once it is cancelled. What goes on
  /// in decoders is noted in `note`.
  func perform(
    _ job: Work, note: CrashNote?, cancellation: Cancellation,
    events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError)
}
