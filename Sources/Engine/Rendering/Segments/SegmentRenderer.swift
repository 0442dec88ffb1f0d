import TesseraJobs
import TesseraPixels
import TesseraPlan
import TesseraSystem

/// Renders sections of pictures: groups consecutive ones into runs and hands each run to
/// ``RunRenderer``.
///
/// ``SegmentRecipe`` decides the bytes of each segment. Terms are explained in `WorkPlan.swift`.
struct SegmentRenderer {
  let work: WorkPlan
  let folder: WorkFolder
  let kernels: PixelKernels
  let isStrict: Bool
  let note: CrashNote?
  let cancellation: Cancellation
  let slots: CrashNoteSlots

  init(
    work: WorkPlan, folder: WorkFolder, kernels: PixelKernels, isStrict: Bool, note: CrashNote?,
    cancellation: Cancellation
  ) {
    (self.work, self.folder, self.kernels) = (work, folder, kernels)
    (self.isStrict, self.note, self.cancellation) = (isStrict, note, cancellation)
    slots = CrashNoteSlots(work)
  }

  /// Renders `sections`, except for finished segments, up to the section that `end` returns at that
  /// time. A run ends where sections have other losses, or lack segments of other renditions.
  func make(
    _ sections: Range<Int>, until end: @escaping () -> Int,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    var next = sections.lowerBound
    var failed: Set<Int> = []
    while next < min(sections.upperBound, end()), !cancellation.isCancelled {
      let losses = folder.losses(of: next)
      var absence: [Int: Bool] = [:]
      let run = (next..<sections.upperBound).prefix { number in
        guard folder.losses(of: number) == losses else { return false }
        let found = self.absence(number, losses)
        guard found.allSatisfy({ absence[$0.key] ?? $0.value == $0.value }) else { return false }
        absence.merge(found) { known, _ in known }
        return true
      }
      next = run.endIndex
      let absent = absence.filter { $0.value && !failed.contains($0.key) }.map(\.key).sorted()
      guard !absent.isEmpty else {
        for number in run { events(.finished(part: number)) }
        continue
      }
      var runRenderer = RunRenderer(self, run.startIndex..<run.endIndex, of: absent, losses, events)
      try runRenderer.make(until: end)
      for (rendition, error) in runRenderer.failures {
        failed.insert(rendition)
        events(.failed(rendition: rendition, error.kind, error.sentence))
      }
    }
  }

  /// Returns for each rendition with segments in a section whether some of them are missing, given
  /// `losses`.
  private func absence(_ section: Int, _ losses: [CrashedTrackLoss]) -> [Int: Bool] {
    var absence: [Int: Bool] = [:]
    for (number, segments) in work.sections[section].segments.enumerated() where !segments.isEmpty {
      let own = slots.losses(losses, in: number)
      absence[number] = segments.contains {
        !folder.hasSegment($0, of: work.renditions[number], own)
      }
    }
    return absence
  }
}
