public import TesseraPlan
public import TesseraRendering
import TesseraRequest
public import TesseraSystem
package import TesseraVerify

/// What happens while a request is performed.
public enum RequestUpdate: Sendable {
  /// How far reading and planning are.
  case planning(PlanningProgress)
  /// How far rendering is.
  case rendering(RenderProgress)
  /// Something worth knowing: a sentence.
  case note(String)
  /// Something that was lost: a sentence.
  case warning(String)
  /// An output that is not made, and why: a sentence.
  case error(String)
  /// A file or folder is there.
  case created(String)
  /// What became of the inputs and outputs, as the report says it; also where it failed.
  case report(RenderReport)
  /// It is done.
  case finished(RequestResult)
}

/// What came of a request.
public struct RequestResult: Sendable {
  /// The report on the main output, with those on the others.
  public var report: RenderReport
  /// Thumbnails and posters that were made.
  public var stills: [String] = []
  /// Why others were not.
  public var failures: [RenderError] = []
  /// Whether losses are said to be no failure.
  public var acceptsLosses = false
  /// Seconds of processor time by stage: `planning`, `pictures`, `sound`, `joining`.
  public var processorSeconds: [String: Double] = [:]

  /// What was found of outputs that were verified.
  package var verdicts: [VerificationReport] = []

  /// What deviates in outputs that were verified: a sentence each.
  public var deviations: [String] { verdicts.flatMap(\.sentences) }
  /// The reports on outputs that were made.
  public var completedReports: [RenderReport] { report.allReports.filter { $0.error == nil } }
  /// Whether all was made that was asked for.
  public var isComplete: Bool {
    completedReports.count == report.allReports.count && failures.isEmpty
  }
  /// Whether something was lost of the recordings, and that is not accepted.
  public var hasLosses: Bool { !acceptsLosses && completedReports.contains(where: \.hasLosses) }
}

extension RequestUpdate {
  /// The same with options as programs know them.
  var forPrograms: RequestUpdate {
    switch self {
    case .planning, .rendering, .created: self
    case .note(let text): .note(text.withPlainOptions)
    case .warning(let text): .warning(text.withPlainOptions)
    case .error(let text): .error(text.withPlainOptions)
    case .report(let report): .report(report.forPrograms)
    case .finished(let result): .finished(result.forPrograms)
    }
  }
}

extension RequestResult {
  fileprivate var forPrograms: RequestResult {
    var own = self
    own.report = report.forPrograms
    return own
  }
}

extension RenderReport {
  /// The same with options as programs know them.
  fileprivate var forPrograms: RenderReport {
    var own = self
    own.notes = notes.map(\.withPlainOptions)
    own.error = error?.withPlainOptions
    own.outputs = outputs?.map(\.forPrograms)
    return own
  }
}
