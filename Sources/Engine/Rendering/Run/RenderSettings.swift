import TesseraCodecs
package import TesseraJobs
import TesseraPixels
import TesseraPlan
package import TesseraProof
package import TesseraSystem

/// Execution settings of a render (workers, memory, folders). They do not change the output's
/// bytes.
package struct RenderSettings: Sendable {
  /// The kind of workers that execute a render's jobs.
  package enum WorkerKind: Sendable {
    /// Threads of this process. They need no program, but a decoder that crashes ends the process.
    case threads
    /// Sandboxed processes of the program `tessera` at this path.
    case processes(tessera: String)
    /// Tasks of a Slurm cluster that run the program `tessera` at this path. `options` are for
    /// `sbatch`, for example `partition=batch`.
    case slurm(options: [String], tessera: String)
  }

  /// The kind of workers (default: threads of this process).
  package var workers = WorkerKind.threads
  /// An executor that replaces ``workers``; nil uses ``workers``.
  package var executor: (any Executor<RenderJob>)?
  /// Number of jobs that run at once; nil uses as many as processors and memory allow.
  package var jobs: Int?
  /// Bytes of memory for all workers together; nil uses four fifths of the free memory.
  package var memory: Int?
  /// The work folder, which is kept after the render; nil uses a folder beside the output and
  /// removes it at the end.
  package var workFolder: String?
  /// True to try tracks again that crashed workers in an earlier run.
  package var retriesLosses = false
  /// True to replace files that Tessera did not make, or that were changed since.
  package var isOverwriting = false
  /// True to treat a loss as an error.
  package var isStrict = false
  /// The folder for a sound file of each participant; nil writes none.
  package var stems: StemFolder?
  /// The folders that all files must be in after resolving symbolic links; empty allows any.
  package var roots: [String] = []

  /// The digest for the output's provenance tag (``OutputProvenance``), by which a batch skips
  /// finished jobs; nil stores none.
  package var madeFrom: String?

  /// Called when the plan is in the work folder, before finished pieces are searched there; nil
  /// calls nothing.
  package var prepare: RenderStepCallback?

  /// Receives the proof of each output that has one, with the output's index, before the output is
  /// renamed to its final path; nil if no proof is wanted.
  package var prove: (@Sendable (Int, OutputProof) throws(RenderError) -> Void)?

  /// Creates the default settings: worker threads, one for each processor.
  package init() {}

  /// Returns the largest number of workers for `work`, at least 1.
  func slots(for work: WorkPlan) -> Int {
    let wanted = max(1, jobs ?? MachineResources.cores)
    let budget = memory ?? MachineResources.freeMemory / 5 * 4
    return min(wanted, max(1, budget / work.workerMemory))
  }
}

extension WorkPlan {
  /// Estimated peak memory of a worker, in bytes: the program, the canvases and the encoders'
  /// look-ahead, and the pictures that decoders of all visible tracks keep.
  var workerMemory: Int {
    let canvases = renditions.filter(\.container.hasPictures).map { rendition in
      let size = rendition.plan.output.video.size
      return 58 * (size.width * size.height * 3 / 2)
    }
    return (80 << 20) + canvases.reduce(0, +) + (renditions.map(\.plan.pictureMemory).max() ?? 0)
  }
}

extension Plan {
  /// Estimated bytes of pictures that decoders keep at once.
  fileprivate var pictureMemory: Int {
    let pictures = tracks.map { track in
      let size = track.source.track.stream.video?.size
      return (size?.width ?? 640) * (size?.height ?? 360) * 3 / 2 * 12
    }
    return pictures.sorted(by: >).prefix(49).reduce(0, +)
  }
}
