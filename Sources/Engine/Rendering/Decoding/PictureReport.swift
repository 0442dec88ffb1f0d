import TesseraCodecs
package import TesseraPlan
package import TesseraTimeline

/// Statistics of a participant's pictures: decoded, shown and lost.
public struct PictureReport: Hashable, Sendable, Codable {
  /// A loss of pictures, with its times.
  package struct MissingPictures: Hashable, Sendable, Codable {
    package var cause: Loss.Cause
    /// The times of the call at which pictures are missing.
    package var intervals: [TimeRange]
  }

  /// Number of pictures that were decoded for frames that show their track.
  public var decoded = 0
  /// Number of pictures that were shown in at least one frame.
  public var shown = 0
  /// The losses that decoding found.
  package var losses: [MissingPictures] = []

  /// True if no picture was lost.
  public var isWhole: Bool { losses.isEmpty }

  public init() {}

  /// Adds the counts and losses of two reports.
  static func + (a: PictureReport, b: PictureReport) -> PictureReport {
    var sum = a
    sum.decoded += b.decoded
    sum.shown += b.shown
    for loss in b.losses where !sum.losses.indices.contains(where: { sum.losses[$0].add(loss) }) {
      sum.losses.append(loss)
    }
    return sum
  }
}

extension PictureReport.MissingPictures {
  /// Adds another loss's counts and times; returns false if the causes differ.
  fileprivate mutating func add(_ other: Self) -> Bool {
    if case .media(var sum) = cause, case .media(let more) = other.cause {
      guard sum.stream == more.stream, sum.cause.add(more.cause) else { return false }
      cause = .media(sum)
    } else if cause != other.cause {
      return false
    }
    for interval in other.intervals {
      if let last = intervals.last, last.start <= interval.start, interval.start <= last.end {
        let end = max(last.end, interval.end)
        intervals[intervals.count - 1] = TimeRange(start: last.start, end: end)
      } else {
        intervals.append(interval)
      }
    }
    return true
  }
}

extension PictureReport {
  /// Converts statistics of pictures of `source`, whose frames count from frame `origin` of a
  /// timeline with `rate`.
  init(
    _ part: PictureStatistics.TimelinePart, of source: PictureSource, from origin: Int,
    at rate: FrameRate
  ) {
    (decoded, shown) = (part.decoded, part.shown)
    losses = part.losses.map { lost in
      let cause: Loss.Cause =
        switch lost.cause {
        case .opening(let error): .unreadable(error)
        case .media(let cause): .media(MediaLoss(cause, source.track.stream))
        }
      let interval = TimeRange(
        start: rate.time(ofFrame: lost.frames.lowerBound + origin),
        end: rate.time(ofFrame: lost.frames.upperBound + origin))
      return MissingPictures(cause: cause, intervals: [interval])
    }
  }

  /// Returns the report's losses as losses of `track`.
  func losses(of track: Plan.Track) -> [Loss] {
    losses.map {
      Loss(
        $0.cause, track: track.id, of: track.participant, source: track.source.path,
        intervals: $0.intervals)
    }
  }
}
