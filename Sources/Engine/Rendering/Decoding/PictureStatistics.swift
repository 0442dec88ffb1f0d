import TesseraCodecs
import TesseraPlan
import TesseraTimeline

/// Statistics of a track's pictures, for each part of the timeline that is accounted separately.
struct PictureStatistics {
  /// Picture statistics of one part of the timeline.
  struct TimelinePart: Hashable, Codable {
    /// Number of pictures that were decoded for frames that show the track.
    var decoded = 0
    /// Number of pictures that were shown in at least one frame.
    var shown = 0
    var losses: [MissingPictures] = []
  }

  /// A cause of missing pictures, and the first to the last frame that it affects.
  struct MissingPictures: Hashable, Codable {
    /// The cause of missing pictures.
    enum Cause: Hashable, Codable {
      /// The file cannot be read.
      case opening(MediaError)
      /// Reading the file found damage or lost packets.
      case media(MediaLoss.Cause)
    }

    var cause: Cause
    var frames: Range<Int>
  }

  /// The first frame of every part of the timeline, except the first part.
  private let starts: [Int]
  private(set) var parts: [TimelinePart]

  /// Creates empty statistics of the parts that begin at the frames `starts`, ascending, and of one
  /// part before them.
  init(starts: [Int] = []) {
    self.starts = starts
    parts = Array(repeating: TimelinePart(), count: starts.count + 1)
  }

  /// The statistics of the part that contains `frame`.
  private subscript(frame: Int) -> TimelinePart {
    get { parts[starts.partitioningIndex { $0 > frame }] }
    set { parts[starts.partitioningIndex { $0 > frame }] = newValue }
  }

  /// Counts a picture that was decoded for `frame`.
  mutating func countDecoded(_ frame: Int) { self[frame].decoded += 1 }

  /// Counts a picture that is first shown in `frame`.
  mutating func countShown(_ frame: Int) { self[frame].shown += 1 }

  /// Records a loss in `frames`, in every part that contains some of them.
  mutating func lose(_ cause: MissingPictures.Cause, _ frames: Range<Int>) {
    var first = frames.lowerBound
    for start in starts where frames.contains(start) && start > first {
      self[first].lose(cause, first..<start)
      first = start
    }
    self[first].lose(cause, first..<frames.upperBound)
  }
}

extension PictureStatistics.TimelinePart {
  fileprivate mutating func lose(
    _ cause: PictureStatistics.MissingPictures.Cause, _ frames: Range<Int>
  ) {
    for index in losses.indices where losses[index].cause.add(cause) {
      let known = losses[index].frames
      losses[index].frames =
        min(known.lowerBound, frames.lowerBound)..<max(known.upperBound, frames.upperBound)
      return
    }
    losses.append(PictureStatistics.MissingPictures(cause: cause, frames: frames))
  }
}

extension PictureStatistics.MissingPictures.Cause {
  /// Adds another cause's counts; returns false if the causes differ.
  fileprivate mutating func add(_ other: Self) -> Bool {
    guard case .media(var sum) = self, case .media(let more) = other else { return self == other }
    defer { self = .media(sum) }
    return sum.add(more)
  }
}

extension PictureStatistics.TimelinePart {
  /// Returns the statistics with frames counted from `frame`.
  func counted(from frame: Int) -> Self {
    var part = self
    for index in losses.indices {
      part.losses[index].frames = losses[index].frames.moved(by: -frame)
    }
    return part
  }

  /// True if the file could not be opened, or shrank since planning. Segments with such a loss are
  /// rendered again in the next run.
  var isMakeshift: Bool {
    losses.contains { lost in
      switch lost.cause {
      case .opening: true
      case .media(.shrunk): true
      case .media: false
      }
    }
  }
}
