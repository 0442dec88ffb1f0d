import TesseraCodecs
package import TesseraJobs
import TesseraPixels
import TesseraPlan
package import TesseraProof
package import TesseraSystem

/// How a plan is rendered: with what means, not what comes out.
package struct RenderSettings: Sendable {
  /// Where the work is done.
  package enum Workers: Sendable {
    /// Threads of this process: no other program is needed, but a decoder that crashes ends it.
    case threads
    /// Processes of the program `tessera` at that path, in a sandbox.
    case processes(tessera: String)
    /// Tasks of a Slurm cluster that run the program `tessera` at that path; `options` are for
    /// `sbatch`, as `partition=batch`.
    case slurm(options: [String], tessera: String)
  }

  /// Where the work is done.
  package var workers = Workers.threads
  /// Whoever else does it; nil is ``workers``.
  package var executor: (any Executor<RenderJob>)?
  /// How many jobs run at once; nil is as many as processors and memory allow.
  package var jobs: Int?
  /// The bytes of memory that all workers together may take; nil is four fifths of what is free.
  package var memory: Int?
  /// Where what is finished is kept; nil is a folder beside the output that goes when it is done.
  package var workFolder: String?
  /// Whether what brought workers down in an earlier run is tried again.
  package var retriesLosses = false
  /// Whether files are replaced that Tessera did not make, or that somebody has changed since.
  package var isOverwriting = false
  /// Whether a loss is an error.
  package var isStrict = false
  /// Where each person's sound is written as a file of its own; nil is nowhere.
  package var stems: StemFolder?
  /// The folder that all files have to be in, whatever links lead to them; nil is any.
  package var root: String?

  /// What the output says that it was made from, for whoever makes many; nil is nothing.
  package var madeFrom: String?

  /// Called when the plan is in the work folder, before it is looked what is finished there; nil does
  /// nothing.
  package var prepare: RenderStep?

  /// Is told what each output that is proven has to be, by its place among the outputs, before it gets its name; nil
  /// where nobody wants to know.
  package var prove: (@Sendable (Int, Proof) throws(RenderError) -> Void)?

  /// The usual settings: threads, as many as there are processors.
  package init() {}

  /// How many workers there can be for `work`.
  func slots(for work: WorkPlan) -> Int {
    let wanted = max(1, jobs ?? Machine.cores)
    let budget = memory ?? Machine.freeMemory / 5 * 4
    return min(wanted, max(1, budget / work.workerMemory))
  }
}

extension WorkPlan {
  /// Bytes that a worker takes at most, about: the program, canvases and what the encoders look
  /// ahead at, and for each track that is seen the pictures that its decoder keeps.
  var workerMemory: Int {
    let canvases = renditions.filter(\.container.hasPictures).map { rendition in
      let size = rendition.plan.output.video.size
      return 58 * (size.width * size.height * 3 / 2)
    }
    return (80 << 20) + canvases.reduce(0, +) + (renditions.map(\.plan.pictureMemory).max() ?? 0)
  }
}

extension Plan {
  /// Bytes of the pictures that decoders keep at most, about.
  fileprivate var pictureMemory: Int {
    let pictures = tracks.map { track in
      let size = track.source.track.stream.video?.size
      return (size?.width ?? 640) * (size?.height ?? 360) * 3 / 2 * 12
    }
    return pictures.sorted(by: >).prefix(49).reduce(0, +)
  }
}
