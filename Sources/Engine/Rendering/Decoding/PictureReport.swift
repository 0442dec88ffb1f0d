import TesseraCodecs
package import TesseraPlan
package import TesseraTimeline

/// What pictures came to.
public struct PictureReport: Hashable, Sendable, Codable {
  /// Something that was lost.
  package struct Lost: Hashable, Sendable, Codable {
    /// Why.
    package var cause: Loss.Cause
    /// When it is missing on the timeline.
    package var intervals: [TimeRange]
  }

  /// Pictures that were decoded for frames that show their track.
  public var decoded = 0
  /// Pictures that were shown in at least one frame.
  public var shown = 0
  /// What was lost while decoding.
  package var losses: [Lost] = []

  /// Whether nothing was lost.
  public var isWhole: Bool { losses.isEmpty }

  /// Nothing decoded yet.
  public init() {}

  /// What both came to.
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

extension PictureReport.Lost {
  /// Adds up what is counted in both; false where the other cause is another one.
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
  /// What a part of the pictures of `source` came to, whose frames are counted from frame `origin`
  /// of a timeline of `rate` on.
  init(_ part: PictureTally.Part, of source: PictureSource, from origin: Int, at rate: FrameRate) {
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
      return Lost(cause: cause, intervals: [interval])
    }
  }

  /// What was lost of `track`.
  func losses(of track: Plan.Track) -> [Loss] {
    losses.map {
      Loss(
        $0.cause, track: track.id, of: track.participant, source: track.source.path,
        intervals: $0.intervals)
    }
  }
}
