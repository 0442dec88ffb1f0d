import Foundation
import TesseraBatch
import TesseraJobs
import TesseraPlan
import TesseraRendering
import TesseraSystem
import TesseraTimeline

/// The summary at the end of a render, for people and for programs.
enum RenderSummaryFormatter {
  static func line(_ report: RenderReport) -> String {
    let length = MediaTime(nanoseconds: Int64(saturating: report.duration * 1e9))
      .roundedToSeconds.clock
    let took = String(format: "%.1f s", report.elapsed)
    let speed = String(format: "%.1f", report.speed)
    let reused =
      report.reused > 0
      ? "; \(Int((100 * report.reusedPart).rounded())) % is from an earlier run" : ""
    return "\(report.output): \(length), \(bytes(report.byteCount)), "
      + "rendered in \(took) (\(speed)x real time\(reused))\(losses(report))"
      + (report.deviations?.isEmpty == true ? "; verified" : "")
  }

  /// Returns the result object for programs; a `nil` status is exit code 0.
  static func result(
    _ report: RenderReport, _ status: ExitStatus?, stills: [String] = []
  ) -> CommandResult {
    var result = CommandResult(exit: status?.rawValue ?? 0)
    result.output = report.output
    result.error = report.allReports.lazy.compactMap(\.error).first
    let others = (report.outputs ?? []).filter { $0.error == nil }.map(\.output) + stills
    result.outputs = report.outputs == nil && others.isEmpty ? nil : others
    (result.duration, result.elapsed) = (report.duration, report.elapsed)
    let sizes =
      report.allReports.filter { $0.error == nil }.map(\.byteCount)
      + stills.map { FileOperations.byteCount(below: $0) }
    result.bytes = Int64(sizes.reduce(0, +))
    result.losses = report.allLosses.reduce(into: [:]) { $0[$1.code, default: 0] += 1 }
    result.recordingsWithLosses = report.inputs.count { !$0.losses.isEmpty }
    return result
  }

  private static func losses(_ report: RenderReport) -> String {
    let losses = report.inputs.map { Set($0.losses.map(\.code)) }
    let lost = losses.count { !$0.subtracting(["unplaced"]).isEmpty }
    let unplaced = losses.count { $0.contains("unplaced") }
    return (lost > 0 ? "; \(lost) of \(losses.count) recordings lost something" : "")
      + (unplaced > 0 ? "; \(unplaced) of \(losses.count) could not be placed" : "")
  }

  /// Returns a number of bytes with a decimal unit, such as `1.5 MB`.
  static func bytes(_ count: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(count), 0)
    while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    return unit == 0 ? "\(count) bytes" : String(format: "%.1f \(units[unit])", value)
  }
}
