import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
package import TesseraSystem

extension WorkPlan {
  /// The address space limit of a worker, in bytes: far more than it needs.
  package var memoryLimit: Int { max(4 << 30, 4 * workerMemory) }

  /// The indexes of the renditions of each output: one for a file, all rungs for an HLS folder.
  var outputs: [[Int]] { renditions.map(\.target).outputs }

  /// Stitches the finished pieces in `folder` into the main output at `path`, and into the other
  /// outputs at their paths. Each output appears when it is complete. Files that Tessera did not
  /// make are replaced only if `overwriting` is true, and `files` never.
  package func stitch(
    _ folder: WorkFolder, to path: String, protecting files: [String] = [],
    overwriting: Bool = false, cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    let targets = renditions.map { rendition in
      let own = rendition.output.isEmpty ? path : rendition.output
      return rendition.rung.map { RenderTarget.rung($0, of: own) } ?? .file(own)
    }
    var work = self
    for (number, target) in targets.enumerated() {
      let rendition = renditions[number]
      work.renditions[number].container = try Renderer.container(target, rendition.plan)
      guard work.renditions[number].container.hasPictures != rendition.segments.isEmpty else {
        throw RenderError(
          .usage,
          "\(file: path): the plan has pictures and sound; give -o the ending of a video.")
      }
    }
    var reports: [RenderReport] = []
    let inputs = self.files + files
    for numbers in outputs {
      let target = targets[numbers[0]]
      let others = targets.map(\.path).filter { $0 != target.path }
      let output = try OutputFile(
        target, protecting: inputs + others, overwriting: overwriting)
      var report = try work.join(numbers, folder, to: try output.temporaryPath(), cancellation)
      try output.finish(&report)
      reports.append(report)
    }
    return RenderReport(reports)
  }

  /// Joins the pieces of the renditions `numbers` in `folder` into the output at `path`: a file, or
  /// an existing empty folder. `made` is the digest for the provenance tag; nil stores none.
  /// Returns the report on the first of the renditions.
  func join(
    _ numbers: [Int], _ folder: WorkFolder, to path: String, made: String? = nil,
    _ cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    let pieces = numbers.map { RenditionPieces(self, $0, as: renditions[$0], in: folder) }
    var stitcher = pieces[0].stitcher
    // The report comes first, because the provenance tag states whether there are losses.
    let report = try pieces[0].report()
    if let made {
      stitcher.tags["comment"] = OutputProvenance(made, hasLosses: report.hasLosses).text
    }
    do throws(Stitcher.Failure) {
      if renditions[numbers[0]].rung == nil {
        try stitcher.write(to: path, cancellation: cancellation)
      } else {
        let rungs = zip(numbers, pieces).map { number, pieces in
          HLSPackager.VideoRendition(
            renditions[number].rung ?? "", segments: pieces.stitcher.segments)
        }
        var stream = HLSPackager(rungs: rungs, soundtrack: stitcher.soundtrack)
        (stream.captions, stream.chapters) = (stitcher.captions, stitcher.chapters)
        (stream.title, stream.tool) = (stitcher.tags["title"], TesseraVersion.name)
        stream.comment = stitcher.tags["comment"]
        try stream.write(to: path, cancellation: cancellation)
      }
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
