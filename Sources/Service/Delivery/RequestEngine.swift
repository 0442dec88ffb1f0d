package import TesseraJobs
import TesseraPlan
import TesseraRequest
package import TesseraSystem

/// By what a request is performed: who stops it, who hears of it, and whose processes do it.
package struct RequestEngine: Sendable {
  /// Stops it.
  package var cancellation: Cancellation
  /// Is told what happens, on any thread.
  package var tell: @Sendable (RequestUpdate) -> Void
  /// The program whose processes read and render, `tessera`; nil for threads of this process, which
  /// a decoder that crashes ends.
  package var program: String?
  /// Is called once all inputs are there, before anything is read.
  package var begin: @Sendable () -> Void = {}
  /// What rendering waits for once all is planned; nil is nothing.
  var prepare: RenderStep?
  /// JSON as people see it, by the names that they know files by.
  package var spelled: @Sendable (String) -> String = { $0 }
  /// True if a session file may name files outside of its folder.
  package var mayLeaveFolder = true
  /// The address that people know the file at a path by; nil where that is the path.
  package var address: @Sendable (String) -> String? = { _ in nil }

  /// Stopped by `cancellation`; `tell` hears of it.
  package init(_ cancellation: Cancellation, tell: @escaping @Sendable (RequestUpdate) -> Void) {
    (self.cancellation, self.tell) = (cancellation, tell)
  }

  /// Processes that read recordings, in the folder `root` only; nil where threads do.
  package func readers(root: String? = nil) -> WorkerProgram? {
    program.map {
      WorkerProgram(program: $0, arguments: ["read"] + (root.map { ["--root", $0] } ?? []))
    }
  }

  /// Receives the progress of planning.
  var planning: @Sendable (PlanningProgress) -> Void {
    { [tell] progress in tell(.planning(progress)) }
  }
}
