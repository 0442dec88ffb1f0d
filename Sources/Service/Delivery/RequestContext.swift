package import TesseraJobs
package import TesseraPlan
package import TesseraSystem

/// The environment in which a request runs: cancellation, progress reporting, the worker program,
/// and names for files.
package struct RequestContext: Sendable {
  /// Cancels the request. May be called on any thread.
  package var cancellation: Cancellation
  /// Receives progress and messages. May be called on any thread.
  package var report: @Sendable (RequestUpdate) -> Void
  /// The path of `tessera`, whose processes read and render; `nil` for threads of this process. A
  /// decoder that crashes then ends this process.
  package var program: String?
  /// Called once after all inputs are fetched and before any recording is read.
  package var begin: @Sendable () -> Void = {}
  /// A step that runs between planning and rendering; `nil` for none. Rendering waits for it.
  var prepare: RenderStep?
  /// True if a session file may name files outside of its folder.
  package var mayLeaveFolder = true
  /// The names that reports and pages show for files.
  var names = DisplayNames()
  /// The folder that archives are unpacked into. ``Session`` removes it.
  package let unpacked = UnpackFolder()

  /// Creates an environment that `cancellation` stops. `report` receives its updates.
  package init(
    _ cancellation: Cancellation, program: String? = nil,
    report: @escaping @Sendable (RequestUpdate) -> Void = { _ in }
  ) {
    (self.cancellation, self.program, self.report) = (cancellation, program, report)
  }

  /// Returns the workers that read recordings.
  ///
  /// - Parameter root: the only folder that the processes may read in; `nil` for any.
  /// - Returns: the workers; `nil` if threads of this process read the recordings.
  package func readers(root: String? = nil) -> WorkerProgram? {
    program.map { WorkerProgram($0, .read(root: root)) }
  }

  /// A callback that reports the progress of planning to ``report``.
  package var planning: @Sendable (PlanningProgress) -> Void {
    { [report] progress in report(.planning(progress)) }
  }
}
