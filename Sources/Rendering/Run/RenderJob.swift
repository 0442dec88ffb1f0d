import TesseraJobs
import TesseraPlan

/// A piece of a render's work.
package indirect enum RenderJob: Hashable, Sendable, Codable {
  /// The segments with these numbers, one after the other.
  case segments(Range<Int>)
  /// The whole sound.
  case soundtrack
  /// All of these, one after the other.
  case together([RenderJob])
}

extension RenderJob: Job {
  /// What people call it.
  package var description: String {
    switch self {
    case .segments(let numbers) where numbers.count == 1: "segment \(numbers.lowerBound)"
    case .segments(let numbers): "segments \(numbers.lowerBound) to \(numbers.upperBound - 1)"
    case .soundtrack: "the soundtrack"
    case .together(let jobs): jobs.map(\.description).joined(separator: " and ")
    }
  }

  package var parts: Range<Int>? {
    switch self {
    case .segments(let numbers): numbers
    case .soundtrack, .together: nil
    }
  }

  package var several: [RenderJob] {
    if case .together(let jobs) = self { jobs } else { [] }
  }

  package func part(_ numbers: Range<Int>) -> RenderJob {
    switch self {
    case .segments: .segments(numbers)
    case .soundtrack, .together: self
    }
  }

  package var fileName: String {
    switch self {
    case .segments(let numbers): "\(numbers.lowerBound)-\(numbers.upperBound - 1)"
    case .soundtrack: "soundtrack"
    case .together(let jobs): jobs.map(\.fileName).joined(separator: "+")
    }
  }
}
