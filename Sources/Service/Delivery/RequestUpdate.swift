import TesseraMessages
public import TesseraPlan
public import TesseraRendering
public import TesseraSystem
package import TesseraVerify

/// A progress report, message or result of a running request.
public enum RequestUpdate: Sendable {
  /// Progress of reading and planning.
  case planning(PlanningProgress)
  /// Progress of rendering.
  case rendering(RenderProgress)
  /// A sentence about a fact that is no loss, such as frames reused from an earlier run.
  case note(String)
  /// A sentence about a loss or a deviation of an output.
  case warning(String)
  /// A sentence that names an output that failed, and the reason.
  case error(String)
  /// The path or address of a file or folder that was created.
  case created(String)
  /// The report on inputs and outputs. Also sent if the request fails.
  case report(RenderReport)
  /// The result of the request; the last update.
  case finished(RequestResult)
}

/// The result of a request: reports, still pictures, failures and processor time.
public struct RequestResult: Sendable {
  /// The report on the main output, which contains the reports on further outputs.
  public var report: RenderReport
  /// The paths of the thumbnails and posters that were written.
  public var stills: [String] = []
  /// The errors of the thumbnails and posters that could not be written, one each.
  public var failures: [RenderError] = []
  /// True if the request accepts losses, so that ``hasLosses`` is always `false`.
  public var acceptsLosses = false
  /// Seconds of processor time by stage, workers included: `planning`, `pictures`, `sound`,
  /// `joining`.
  public var processorSeconds: [String: Double] = [:]

  /// The verification reports of the outputs; empty if verification was not requested.
  package var verdicts: [VerificationReport] = []

  /// One sentence for each deviation in the verified outputs.
  public var deviations: [String] { verdicts.flatMap(\.sentences).map(\.commandLine) }
  /// The reports on the outputs that were rendered without an error.
  public var completedReports: [RenderReport] { report.allReports.filter { $0.error == nil } }
  /// True if all requested outputs, thumbnails and posters were made.
  public var isComplete: Bool {
    completedReports.count == report.allReports.count && failures.isEmpty
  }
  /// True if a rendered output has losses that the request does not accept.
  public var hasLosses: Bool { !acceptsLosses && completedReports.contains(where: \.hasLosses) }
}

extension RequestUpdate {
  /// The update for a Swift caller: reports name an option as `"page-video"`, not `--page-video`.
  var forPrograms: RequestUpdate {
    switch self {
    case .planning, .rendering, .created, .note, .warning, .error: self
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
  /// The report for a Swift caller: texts name an option as `"page-video"`, not `--page-video`.
  fileprivate var forPrograms: RenderReport {
    var own = self
    own.notes = messages.map(\.description)
    own.error = failure?.description
    own.outputs = outputs?.map(\.forPrograms)
    return own
  }
}
