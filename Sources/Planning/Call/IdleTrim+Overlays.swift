import TesseraCaptions
import TesseraJobs
import TesseraLettering
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

extension OverlayRequest {
  /// Moves what has a time to the timeline that remains after `trim`.
  mutating func trim(_ trim: IdleTrim) {
    captions.trim(trim)
    rows = rows.compactMap { row in
      guard let interval = trim.interval(row.from, row.to ?? Recording.maximumTime) else {
        return nil
      }
      var row = row
      (row.from, row.to) = (interval.start, row.to.map { _ in interval.end })
      return row
    }
  }
}

extension [CaptionCue] {
  /// Moves the cues to the timeline that remains after `trim`.
  mutating func trim(_ trim: IdleTrim) {
    self = compactMap { cue in
      trim.interval(cue.from, cue.to).map { interval in
        CaptionCue(from: interval.start, to: interval.end, lines: cue.lines)
      }
    }
  }
}

extension IdleTrim {
  /// Where a clock of the call jumps on the timeline that remains.
  var jumps: [ClockTimes.Jump] {
    var ahead = MediaTime.zero
    return stretches.map { stretch in
      let place = stretch.start - ahead
      ahead = ahead + stretch.duration
      return ClockTimes.Jump(time: place, ahead: ahead)
    }
  }

  /// What to say of it.
  var notes: [String] {
    guard let first = stretches.first else { return [] }
    let count = stretches.count
    let place =
      count == 1
      ? "a stretch of \(first.duration.clock) from \(first.start.clock) on"
      : "\(count) stretches, \(duration.clock) in all, the first from \(first.start.clock) on"
    return [
      "nobody is there in \(place); it is left out (--no-trim-idle keeps it)."
    ]
  }
}
