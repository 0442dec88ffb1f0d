import TesseraJobs

/// A job of a render, which one worker executes.
package indirect enum RenderJob: Hashable, Sendable, Codable {
  /// The sections with these numbers, in order. The command line calls sections segments.
  case segments(Range<Int>)
  /// The pieces of sound with these numbers, in order.
  case sound(Range<Int>)
  /// The whole soundtrack, encoded from its pieces if it has any.
  case soundtrack
  /// Several jobs, which one worker executes in order.
  case together([RenderJob])
}

extension RenderJob: Job {
  /// The job's name in messages.
  package var description: String {
    switch self {
    case .segments(let numbers) where numbers.count == 1: "segment \(numbers.lowerBound)"
    case .segments(let numbers): "segments \(numbers.lowerBound) to \(numbers.upperBound - 1)"
    case .sound(let numbers) where numbers.count == 1: "piece \(numbers.lowerBound) of the sound"
    case .sound(let numbers):
      "pieces \(numbers.lowerBound) to \(numbers.upperBound - 1) of the sound"
    case .soundtrack: "the soundtrack"
    case .together(let jobs): jobs.map(\.description).joined(separator: " and ")
    }
  }

  package var parts: Range<Int>? {
    switch self {
    case .segments(let numbers), .sound(let numbers): numbers
    case .soundtrack, .together: nil
    }
  }

  package var several: [RenderJob] {
    if case .together(let jobs) = self { jobs } else { [] }
  }

  /// True if `other` makes pieces from which this soundtrack is encoded.
  package func follows(_ other: RenderJob) -> Bool {
    if case .sound = other { self == .soundtrack } else { false }
  }

  package func part(_ numbers: Range<Int>) -> RenderJob {
    switch self {
    case .segments: .segments(numbers)
    case .sound: .sound(numbers)
    case .soundtrack, .together: self
    }
  }

  package var fileName: String {
    switch self {
    case .segments(let numbers): "\(numbers.lowerBound)-\(numbers.upperBound - 1)"
    case .sound(let numbers): "sound-\(numbers.lowerBound)-\(numbers.upperBound - 1)"
    case .soundtrack: "soundtrack"
    case .together(let jobs): jobs.map(\.fileName).joined(separator: "+")
    }
  }
}
