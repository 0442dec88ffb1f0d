import TesseraMessages
import TesseraRecordings
import TesseraTimeline

extension IdleRangeFinder {
  /// A note about the stretches that are left out, if any.
  var notes: [UserMessage] {
    guard let first = stretches.first else { return [] }
    let count = stretches.count
    let place =
      count == 1
      ? "a stretch of \(first.duration.roundedToSeconds.clock) from \(first.start.clock) on"
      : "\(count) stretches, \(duration.roundedToSeconds.clock) in all, the first from "
        + "\(first.start.clock) on"
    return [
      "no participant is present in \(place); it is left out (\(option: "no-trim-idle") keeps it)."
    ]
  }
}
