import Foundation
import TesseraBatch
import TesseraJobs
import TesseraTimeline

extension BatchStatistics {
  /// The exit code of the batch; `nil` for 0.
  var status: ExitStatus? {
    done < count || failed > 0 ? .someFailed : hasLosses ? .renderedWithLosses : nil
  }

  /// The summary that a batch prints at its end: a table of counts, durations and sizes, then
  /// remarks.
  var table: String {
    let time = { (seconds: Double) in
      String(format: "%d:%02d:%02d", Int(seconds) / 3600, Int(seconds) / 60 % 60, Int(seconds) % 60)
    }
    let stages = cpu.sorted { $0.key < $1.key }.map { "\($0) \(time($1))" }
    let rows: [(String, String)] = [
      ("finished", "\(ended[.finished] ?? 0)"), ("with losses", "\(ended[.losses] ?? 0)"),
      ("done before", "\(ended[.skipped] ?? 0)"), ("failed", "\(failed)"),
      ("not begun", "\(max(0, count - done))"),
      ("calls", time(callSeconds)),
      ("took", "\(time(elapsed)) (\(String(format: "%.1f", speed))x)"),
      ("processor", stages.isEmpty ? time(0) : stages.joined(separator: ", ")),
      ("outputs", RenderSummaryFormatter.bytes(Int(bytes))),
    ]
    let lines = rows.map { $0.0.padding(toLength: 12, withPad: " ", startingAt: 0) + $0.1 }
    return String.lines(lines + (remarks.isEmpty ? [] : [""] + remarks))
  }
}
