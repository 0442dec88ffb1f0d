package import TesseraJobs
package import TesseraMessages
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
  var prepare: RenderStepCallback?
  /// True if a session file may name files outside of its folder.
  package var mayLeaveFolder = true
  /// The names that reports and pages show for files.
  var names = FileDisplayNames()
  /// Spells messages: as on the command line, or with options as programs name them.
  var spelling: @Sendable (UserMessage) -> String = { $0.commandLine }
  /// The folder that archives are unpacked into. Whatever opens
  /// the inputs, ``RequestRunner`` or ``TransferSession``, removes it at the end.
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
  /// - Parameter root: the only folder that the processes may read in, beside that of unpacked
  ///   archives; `nil` for any.
  /// - Returns: the workers; `nil` if threads of this process read the recordings.
  package func readers(root: String? = nil) -> WorkerProgram? {
    program.map { WorkerProgram($0, .read(roots: roots(root))) }
  }

  /// Reports a fact that is no loss.
  package func note(_ message: UserMessage) { report(.note(text(message))) }

  /// Reports a loss or a deviation of an output.
  package func warn(_ message: UserMessage) { report(.warning(text(message))) }

  /// Reports an output that failed.
  package func fail(_ message: UserMessage) { report(.error(text(message))) }

  private func text(_ message: UserMessage) -> String { spelling(message.named(names.name)) }

  /// The only folders that workers may read in if the request allows `root`: it and the folder that
  /// this process unpacks archives into. Empty for any folder.
  func roots(_ root: String?) -> [String] { root.map { [$0] + unpacked.paths } ?? [] }

  /// A callback that reports the progress of planning to ``report``.
  package var planning: @Sendable (PlanningProgress) -> Void {
    { [report] progress in report(.planning(progress)) }
  }
}
