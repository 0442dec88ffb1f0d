public import TesseraSystem
import TesseraTimeline

/// A piece of a render's work that can be done on its own, anywhere the files are, and again.
public enum RenderJob: Hashable, Sendable, Codable {
  /// The segments with these numbers, one after the other.
  case segments(Range<Int>)
  /// The whole sound.
  case soundtrack
  /// What planning has to know of the recordings with these numbers, one after the other.
  case reading(Range<Int>)
}

extension RenderJob: CustomStringConvertible {
  /// What people call it.
  public var description: String {
    switch self {
    case .segments(let numbers) where numbers.count == 1: "segment \(numbers.lowerBound)"
    case .segments(let numbers): "segments \(numbers.lowerBound) to \(numbers.upperBound - 1)"
    case .soundtrack: "the soundtrack"
    case .reading(let numbers): "reading the recording \(numbers.lowerBound)"
    }
  }

  /// The parts that are done one after the other; nil where it is one piece.
  var numbers: Range<Int>? {
    switch self {
    case .segments(let numbers), .reading(let numbers): numbers
    case .soundtrack: nil
    }
  }

  /// Those of its parts alone.
  func part(_ numbers: Range<Int>) -> RenderJob {
    switch self {
    case .segments: .segments(numbers)
    case .reading: .reading(numbers)
    case .soundtrack: self
    }
  }

  /// A name for files that belong to it.
  var fileName: String {
    switch self {
    case .segments(let numbers): "\(numbers.lowerBound)-\(numbers.upperBound - 1)"
    case .soundtrack: "soundtrack"
    case .reading(let numbers): "reading-\(numbers.lowerBound)-\(numbers.upperBound - 1)"
    }
  }
}

/// What a job reports while it runs.
public enum JobEvent: Hashable, Sendable, Codable {
  /// So many further frames of a segment are composed and encoded; how long that took in seconds.
  case advanced(segment: Int, frames: Int, seconds: Double)
  /// So much of the sound is mixed, 0...1.
  case mixed(Double)
  /// A segment, or another part of a job, is finished, and its file there.
  case finished(segment: Int)
}

/// How a job ended.
public enum JobEnd: Hashable, Sendable {
  /// All of it is done.
  case finished
  /// It cannot be done, and could not if it were tried again.
  case failed(RenderError)
  /// Whoever did it is gone.
  case died(Death)
  /// Somebody asked to stop.
  case stopped
}

/// The end of a worker that did not end by itself.
public struct Death: Hashable, Sendable, Codable {
  /// How it ended: `signal 9`, `exit code 70`.
  public var manner: String
  /// Whom it noted as the one it was busy with; nil where it was nobody.
  public var blame: CrashNote.Blame?

  /// A death of that manner.
  public init(manner: String, blame: CrashNote.Blame? = nil) {
    (self.manner, self.blame) = (manner, blame)
  }
}

/// What a job's track lost because it brought its worker down twice.
public struct CrashLoss: Hashable, Sendable, Codable {
  /// The place of the track among the plan's, the voices after the tracks of pictures.
  public var track: Int
  /// Where on the timeline it is lost from on, in nanoseconds.
  public var time: Int64
  /// How the workers ended.
  public var manner: String

  /// The loss of a track from a time on.
  public init(track: Int, time: Int64, manner: String) {
    (self.track, self.time, self.manner) = (track, time, manner)
  }

  /// Where sound has to end so that nothing of what was decoded then is decoded again: a second
  /// before, as decoding, resampling and fading look ahead.
  var end: MediaTime { MediaTime(nanoseconds: max(0, time - 1_000_000_000)) }
}
