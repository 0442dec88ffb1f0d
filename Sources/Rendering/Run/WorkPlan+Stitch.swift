package import TesseraJobs
import TesseraMedia
import TesseraPlan
package import TesseraPlanning
package import TesseraSystem

extension WorkPlan {
  /// The bytes that a worker may take before the system refuses it more: far beyond what it needs.
  package var memoryLimit: Int { max(4 << 30, 4 * plan.workerMemory) }

  /// Joins the finished pieces in `folder` into the file `path`, which appears when it is whole.
  package func stitch(
    _ folder: WorkFolder, to path: String, cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    var work = self
    work.container = try Renderer.container(path, plan)
    guard work.container.hasPictures != segments.isEmpty else {
      throw RenderError(
        .usage, "\(path): the plan is one of pictures and sound; give -o the ending of a video.")
    }
    var file = try OutputFile(path, protecting: plan.files)
    var report = try RenderRun.stitch(
      work, folder, to: try file.temporaryPath(), cancellation)
    try file.commit()
    report.output = path
    report.byteCount = FileSystem.byteCount(of: path)
    return report
  }
}
