import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering

extension Terminal {
  /// Prints what is worth knowing before `plans` of one call are rendered, each sentence once, and
  /// returns the losses among it.
  static func announce(_ plans: [Plan]) -> [Loss] {
    let losses = plans.flatMap(\.losses)
    say(once: plans.flatMap(\.notes), "note")
    say(once: losses.map(\.sentence), "warning")
    return losses
  }

  /// Prints what was lost, made up and not made, each sentence once, except what is `known`.
  static func warn(of report: RenderReport, except known: Set<Loss> = []) {
    let reports = report.withOthers
    say(once: reports.flatMap(\.soundNotes), "note")
    let losses = reports.flatMap(\.allLosses).filter { loss in
      var planned = loss
      planned.shown = nil
      return !known.contains(planned)
    }
    say(once: losses.map(\.sentence), "warning")
    for report in reports {
      guard let error = report.error else { continue }
      say("error: \(report.output) is not made: \(error)")
    }
  }

  private static func say(once sentences: [String], _ level: String) {
    var said: Set<String> = []
    for sentence in sentences where said.insert(sentence).inserted { say("\(level): \(sentence)") }
  }
}
