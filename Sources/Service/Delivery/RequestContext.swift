package import TesseraJobs
package import TesseraPlan
package import TesseraSystem

/// The environment in which a request runs: cancellation, progress reporting, the worker program,
/// and names for files.
package struct RequestContext: Sendable {
  /// Stops the work.
  package var cancellation: Cancellation
  /// Receives progress and messages. May be called on any thread.
  package var report: @Sendable (RequestUpdate) -> Void
  /// The program, `tessera`, whose processes read and render; `nil` for threads of this process,
  /// which a decoder that crashes ends.
  package var program: String?
  /// Called once all inputs are fetched, before anything is read.
  package var begin: @Sendable () -> Void = {}
  /// A step that rendering waits for after planning, if any.
  var prepare: RenderStep?
  /// True if a session file may name files outside of its folder.
  package var mayLeaveFolder = true
  /// The names that reports and pages show for files.
  var names = DisplayNames()
  /// The folder that archives are unpacked into. ``Session`` removes it.
  package let unpacked = UnpackFolder()

  /// An environment that `cancellation` stops and that reports to `report`.
  package init(
    _ cancellation: Cancellation, program: String? = nil,
    report: @escaping @Sendable (RequestUpdate) -> Void = { _ in }
  ) {
    (self.cancellation, self.program, self.report) = (cancellation, program, report)
  }

  /// Processes that read recordings, in the folder `root` only; `nil` if threads read them.
  package func readers(root: String? = nil) -> WorkerProgram? {
    program.map {
      WorkerProgram(program: $0, arguments: ["read"] + (root.map { ["--root", $0] } ?? []))
    }
  }

  /// Receives the progress of planning.
  package var planning: @Sendable (PlanningProgress) -> Void {
    { [report] progress in report(.planning(progress)) }
  }
}
