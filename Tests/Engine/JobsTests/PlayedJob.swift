import Foundation
import TesseraSystem

@testable import TesseraJobs

/// A job like a render's; its name is also its JSON.
indirect enum PlayedJob: Hashable, Job {
  case segments(Range<Int>)
  case soundtrack
  case together([PlayedJob])
  /// A job that follows the soundtrack.
  case finale

  func follows(_ other: PlayedJob) -> Bool { self == .finale && other == .soundtrack }

  var several: [PlayedJob] { if case .together(let jobs) = self { jobs } else { [] } }

  var parts: Range<Int>? {
    if case .segments(let numbers) = self { numbers } else { nil }
  }

  func part(_ numbers: Range<Int>) -> PlayedJob { parts == nil ? self : .segments(numbers) }

  var fileName: String {
    if self == .finale { return "finale" }
    return several.isEmpty
      ? parts.map { "\($0.lowerBound)-\($0.upperBound - 1)" } ?? "soundtrack"
      : several.map(\.fileName).joined(separator: "+")
  }

  var description: String { "job \(fileName)" }

  init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    let ends = name.split(separator: "-").compactMap { Int($0) }
    self = ends.count == 2 ? .segments(ends[0]..<(ends[1] + 1)) : .soundtrack
    if name == "finale" { self = .finale }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(fileName)
  }
}

/// A performer that calls a closure.
struct PlayedPerformer: JobHandler {
  typealias Body =
    @Sendable (PlayedJob, Cancellation, (JobEvent) -> Void) throws(RenderError) -> Void
  let body: Body

  init(_ body: @escaping Body) { self.body = body }

  func perform(
    _ job: PlayedJob, note: CrashNote?, cancellation: Cancellation,
    events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) { try body(job, cancellation, events) }
}
