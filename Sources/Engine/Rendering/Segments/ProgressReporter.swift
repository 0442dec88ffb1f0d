import TesseraJobs

/// Reports the number of finished frames, at most five times a second.
struct ProgressReporter {
  private let events: @Sendable (JobEvent) -> Void
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant
  private var (segment, frames) = (0, 0)

  init(events: @escaping @Sendable (JobEvent) -> Void) {
    self.events = events
    start = clock.now
  }

  /// Counts a frame of section `segment`.
  mutating func count(_ segment: Int) {
    if segment != self.segment { flush() }
    self.segment = segment
    frames += 1
    if frames % 8 == 0, clock.now - start > .milliseconds(200) { flush() }
  }

  /// Reports the frames counted since the last report.
  mutating func flush() {
    guard frames > 0 else { return }
    let now = clock.now
    events(.advanced(part: segment, frames: frames, seconds: (now - start) / .seconds(1)))
    (start, frames) = (now, 0)
  }
}
