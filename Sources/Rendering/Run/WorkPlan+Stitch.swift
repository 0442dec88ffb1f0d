package import TesseraJobs
import TesseraMedia
import TesseraPlan
package import TesseraPlanning
package import TesseraSystem

extension WorkPlan {
  /// The bytes that a worker may take before the system refuses it more: far beyond what it needs.
  package var memoryLimit: Int { max(4 << 30, 4 * workerMemory) }

  /// Joins the finished pieces in `folder` into the file `path`, and those of the further
  /// renditions into their files; each appears when it is whole.
  package func stitch(
    _ folder: WorkFolder, to path: String, cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    let outputs = [path] + renditions.dropFirst().map(\.output)
    var reports: [RenderReport] = []
    for (number, rendition) in renditions.enumerated() {
      var rendition = rendition
      rendition.container = try Renderer.container(outputs[number], rendition.plan)
      guard rendition.container.hasPictures != rendition.segments.isEmpty else {
        throw RenderError(
          .usage,
          "\(path): the plan is one of pictures and sound; give -o the ending of a video.")
      }
      let others = outputs.indices.filter { $0 != number }.map { outputs[$0] }
      var file = try OutputFile(outputs[number], protecting: files + others)
      var report = try stitch(
        number, as: rendition, folder, to: try file.temporaryPath(), cancellation)
      try file.commit()
      report.output = outputs[number]
      report.byteCount = FileSystem.byteCount(of: outputs[number])
      reports.append(report)
    }
    return RenderReport(reports)
  }

  /// Joins the pieces of rendition `number` in `folder` into the file `path`, which says what it was
  /// `made` from where that is known; returns what they came to.
  func stitch(
    _ number: Int, _ folder: WorkFolder, to path: String, made: String?,
    _ cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    try stitch(number, as: renditions[number], folder, to: path, made: made, cancellation)
  }

  private func stitch(
    _ number: Int, as rendition: RenditionPlan, _ folder: WorkFolder, to path: String,
    made: String? = nil, _ cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    let pieces = RenditionPieces(self, number, as: rendition, in: folder)
    var stitcher = pieces.stitcher
    // Before the file, which says whether anything was lost.
    let report = try pieces.report()
    if let made { stitcher.tags["comment"] = MadeFrom(made, hasLosses: report.hasLosses).text }
    do throws(Stitcher.Failure) {
      try stitcher.write(to: path, cancellation: cancellation)
    } catch {
      if cancellation.isCancelled { throw .stopped(cancellation) }
      switch error {
      case .piece(let refusal):
        throw RenderError(.failure, "\(refusal); render it again.")
      case .gap(let sentence): throw RenderError(.failure, "\(sentence); render it again.")
      case .output(let error): throw RenderError(error, output: path)
      }
    }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    return report
  }
}
