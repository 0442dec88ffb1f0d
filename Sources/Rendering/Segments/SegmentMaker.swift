import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSystem

/// Makes segments of pictures, those in a row as one run.
struct SegmentMaker {
  let work: WorkPlan
  let folder: WorkFolder
  let kernels: Kernels
  let isStrict: Bool
  let note: CrashNote?
  let cancellation: Cancellation

  /// Makes `segments`, but for those that are there. A run ends where others have other losses.
  func make(
    _ segments: Range<Int>, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    var next = segments.lowerBound
    while next < segments.upperBound, !cancellation.isCancelled {
      let losses = folder.losses(of: next)
      let run = (next..<segments.upperBound).prefix { number in
        let own = folder.losses(of: number)
        let digest = work.digest(of: number, losses: own)
        return own == losses && !folder.hasSegment(number, digest: digest)
      }
      if run.isEmpty {
        events(.finished(part: next))
        next += 1
      } else {
        var maker = RunMaker(self, next..<run.endIndex, losses, events)
        try maker.make()
        next = run.endIndex
      }
    }
  }
}
