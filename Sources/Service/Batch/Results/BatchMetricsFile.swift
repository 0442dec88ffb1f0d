import Foundation
import TesseraJobs
package import TesseraSystem

/// Writes the progress of a batch as a text file of Prometheus metrics.
package struct BatchMetricsFile {
  private let path: String
  private let isOverwriting: Bool

  private static let mark = OutputMark.comment("# ", "")

  /// Creates a writer for the file at `path`, which each write replaces as a whole. A file that
  /// Tessera did not write is only replaced if `overwriting` is true.
  package init(_ path: String, overwriting: Bool) throws(RenderError) {
    (self.path, isOverwriting) = (path, overwriting)
    try OutputFile.require(path, protecting: [], overwriting: overwriting, mark: Self.mark)
  }

  /// Replaces the file with current metrics. If that fails, the file keeps the previous metrics.
  package func write(_ statistics: BatchStatistics, running: Int) {
    let text = Data(Self.text(statistics, running: running).utf8)
    try? OutputFile(path, overwriting: isOverwriting, mark: Self.mark).write(text)
  }

  package static func text(_ statistics: BatchStatistics, running: Int) -> String {
    var lines: [String] = []
    func metric(_ name: String, _ kind: String, _ help: String, _ values: [(String, String)]) {
      lines.append("# HELP tessera_batch_\(name) \(help)")
      lines.append("# TYPE tessera_batch_\(name) \(kind)")
      lines += values.map { "tessera_batch_\(name)\($0.0) \($0.1)" }
    }
    metric("jobs", "gauge", "Jobs of the batch.", [("", "\(statistics.count)")])
    metric(
      "jobs_ended_total", "counter", "Jobs that ended, by result.",
      BatchOutcome.Kind.allCases.map {
        ("{how=\"\($0.rawValue)\"}", "\(statistics.ended[$0] ?? 0)")
      })
    metric(
      "last_end_timestamp_seconds", "gauge",
      "End of the last job of each kind, in seconds since 1970.",
      statistics.lastEnds.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { ("{how=\"\($0.rawValue)\"}", number($1)) })
    metric(
      "jobs_failed_total", "counter", "Jobs that failed, by exit code.",
      statistics.failures.sorted { $0.key < $1.key }.map { ("{exit=\"\($0)\"}", "\($1)") })
    metric("jobs_running", "gauge", "Jobs that run.", [("", "\(running)")])
    metric("retries_total", "counter", "Jobs that were retried.", [("", "\(statistics.retries)")])
    metric(
      "call_seconds_total", "counter", "Seconds of calls that were rendered.",
      [("", number(statistics.callSeconds))])
    metric(
      "cpu_seconds_total", "counter", "Seconds of processor time, by stage.",
      statistics.cpu.sorted { $0.key < $1.key }.map { ("{stage=\"\($0)\"}", number($1)) })
    metric("output_bytes_total", "counter", "Bytes of outputs.", [("", "\(statistics.bytes)")])
    metric(
      "losses_total", "counter", "Losses, by code.",
      statistics.losses.sorted { $0.key < $1.key }.map { ("{code=\"\($0)\"}", "\($1)") })
    metric(
      "elapsed_seconds", "gauge", "Seconds since the batch began.",
      [("", number(statistics.elapsed))])
    return lines.joined(separator: "\n") + "\n"
  }

  private static func number(_ value: Double) -> String { String(format: "%.3f", value) }
}
