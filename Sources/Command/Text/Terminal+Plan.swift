import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering

extension Terminal {
  /// Prints what is worth knowing before `plan` is rendered, and returns the losses among it.
  static func announce(_ plan: Plan) -> [Loss] {
    let losses = plan.losses
    for note in plan.notes { say("note: \(note)") }
    for loss in losses { say("warning: \(loss.sentence)") }
    return losses
  }
}
