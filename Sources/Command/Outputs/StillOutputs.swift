import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraRendering

/// The still pictures of a render, and what became of them.
struct StillOutputs {
  /// Those that are there.
  private(set) var made: [String] = []
  /// Why others are not.
  private(set) var failures: [RenderError] = []
  /// Why the rest was not begun; nil where nobody asked to stop.
  private(set) var stop: RenderError?

  /// Makes sure early that there is something to make `stills` of.
  static func require(_ stills: [StillOutput], of targets: [RenderTarget]) throws(RenderError) {
    guard let still = stills.first, !targets.contains(where: \.hasPictures) else { return }
    throw RenderError(.usage, "\(still.path): no output has pictures; make a video, too.")
  }

  /// Makes `stills` of the first of `outputs` that has pictures, as `report` says it became, until
  /// somebody asks to stop.
  mutating func make(
    _ stills: [StillOutput], of outputs: Zip2Sequence<[Plan], [RenderTarget]>,
    _ report: RenderReport, protecting files: [String], overwriting: Bool
  ) {
    guard let (plan, target) = outputs.first(where: { $0.1.hasPictures }) else { return }
    let isMade = report.withOthers.contains { $0.error == nil && $0.output == target.path }
    for still in stills {
      do throws(RenderError) {
        try still.write(
          of: plan, in: target.rung == nil && isMade ? target.path : nil, protecting: files,
          overwriting: overwriting)
        made.append(still.path)
      } catch {
        guard error.kind != .cancelled else { return stop = error }
        failures.append(error)
      }
    }
  }
}

extension RenderTarget {
  /// Whether it holds more than sound.
  fileprivate var hasPictures: Bool {
    rung != nil || OutputContainer(path: path)?.hasPictures == true
  }
}
