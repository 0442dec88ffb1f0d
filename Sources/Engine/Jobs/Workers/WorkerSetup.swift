import TesseraSystem

/// A program whose processes work for this one, and their setup. A decoder that crashes or is taken
/// over ends only one of them.
package struct WorkerProgram: Hashable, Sendable {
  /// The path of `tessera`.
  package let path: String
  package let setup: WorkerSetup

  package init(_ path: String, _ setup: WorkerSetup) { (self.path, self.setup) = (path, setup) }

  /// The program's arguments: `worker` and the setup as JSON. The job follows them, if there is
  /// one.
  package var arguments: [String] { [WorkerSetup.command, CanonicalJSON.text(setup)] }

  /// The words of a command line: the program and its arguments.
  var words: [String] { [path] + arguments }
}

/// The setup of a worker process: its kind, and everything except its job.
///
/// `WorkerCommand.swift` in `Sources/Command/Commands` reads it. `roots` are the only folders in
/// which files are opened, also through links; empty for any.
package enum WorkerSetup: Hashable, Sendable, Codable {
  /// Makes pieces of a render. The job is a `RenderJob`, or its number in the work folder's list.
  case render(RenderWorker)
  /// Reads recordings for planning. The job is a ``TaskJob``.
  case read(roots: [String])
  /// Joins the pieces in `workFolder`, and writes a report. There is no job.
  case stitch(plan: String, workFolder: String, output: String, report: String)
  /// Renders one call of a batch. The job is the request on the first line of standard input.
  /// `madeFrom` is the provenance to store in the main output. If `isListed` is true, the input was
  /// found in a folder, and must not name files outside of it.
  case batch(madeFrom: String?, isListed: Bool)

  /// The hidden command that receives a setup.
  package static let command = "worker"
}

/// The setup of a worker that makes pieces of a render.
package struct RenderWorker: Hashable, Sendable, Codable {
  /// The work folder, with the plan.
  package let workFolder: String
  /// The value of `cpu`: an instruction set, or `auto`.
  package let kernels: String
  /// True if a loss is an error.
  package let isStrict: Bool
  package let roots: [String]
  /// The folder of inputs that are still being fetched; nil for none.
  package let partial: String?

  package init(
    workFolder: String, kernels: String, isStrict: Bool, roots: [String] = [],
    partial: String? = nil
  ) {
    (self.workFolder, self.kernels, self.isStrict) = (workFolder, kernels, isStrict)
    (self.roots, self.partial) = (roots, partial)
  }
}
