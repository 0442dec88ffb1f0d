import TesseraCodecs
import TesseraPlan
import TesseraTimeline

/// What a track's pictures came to, by the part of the timeline on whose account they are.
struct PictureTally {
  /// What pictures of one part came to.
  struct Part: Hashable, Codable {
    /// Pictures that were decoded for frames in which the track is seen.
    var decoded = 0
    /// Pictures that are shown in at least one frame.
    var shown = 0
    /// What was lost.
    var losses: [Lost] = []
  }

  /// A cause, and the first to the last frame on whose account it is.
  struct Lost: Hashable, Codable {
    /// Why pictures are missing.
    enum Cause: Hashable, Codable {
      /// The file cannot be read.
      case opening(MediaError)
      /// Reading it came to this.
      case media(MediaLoss.Cause)
    }

    var cause: Cause
    var frames: Range<Int>
  }

  /// The first frame of every part but the first.
  private let starts: [Int]
  /// What each part came to.
  private(set) var parts: [Part]

  /// A tally of the parts that begin with each of the frames `starts`, ascending, and one before.
  init(starts: [Int] = []) {
    self.starts = starts
    parts = Array(repeating: Part(), count: starts.count + 1)
  }

  /// What the part with `frame` came to.
  private subscript(frame: Int) -> Part {
    get { parts[starts.partitioningIndex { $0 > frame }] }
    set { parts[starts.partitioningIndex { $0 > frame }] = newValue }
  }

  /// Counts a picture that was decoded on account of `frame`.
  mutating func countDecoded(_ frame: Int) { self[frame].decoded += 1 }

  /// Counts a picture that is first shown in `frame`.
  mutating func countShown(_ frame: Int) { self[frame].shown += 1 }

  /// Adds a loss on account of `frames`, to every part that has some of them.
  mutating func lose(_ cause: Lost.Cause, _ frames: Range<Int>) {
    var first = frames.lowerBound
    for start in starts where frames.contains(start) && start > first {
      self[first].lose(cause, first..<start)
      first = start
    }
    self[first].lose(cause, first..<frames.upperBound)
  }
}

extension PictureTally.Part {
  fileprivate mutating func lose(_ cause: PictureTally.Lost.Cause, _ frames: Range<Int>) {
    for index in losses.indices where losses[index].cause.add(cause) {
      let known = losses[index].frames
      losses[index].frames =
        min(known.lowerBound, frames.lowerBound)..<max(known.upperBound, frames.upperBound)
      return
    }
    losses.append(PictureTally.Lost(cause: cause, frames: frames))
  }
}

extension PictureTally.Lost.Cause {
  /// Adds up what is counted in both; false where the other cause is another one.
  fileprivate mutating func add(_ other: Self) -> Bool {
    guard case .media(var sum) = self, case .media(let more) = other else { return self == other }
    defer { self = .media(sum) }
    return sum.add(more)
  }
}

extension PictureTally.Part {
  /// The same with frames that are counted from `frame` on.
  func counted(from frame: Int) -> Self {
    var part = self
    for index in losses.indices {
      part.losses[index].frames = losses[index].frames.moved(by: -frame)
    }
    return part
  }

  /// Whether the file could not be read as it was when the plan was made.
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
