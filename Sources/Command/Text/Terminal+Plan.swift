import TesseraDelivery
import TesseraPlan
import TesseraRendering

extension Terminal {
  /// Prints what is worth knowing before `plans` of one call are rendered, each sentence once, and
  /// returns the losses among it.
  @discardableResult
  static func announce(_ plans: [Plan]) -> Set<Loss> { plans.announce(say) }

  /// Prints what was lost, made up and not made, each sentence once.
  static func warn(of report: RenderReport) { report.warn(say) }

  /// Prints the sentence of `update`, if it is one.
  static func say(_ update: RequestUpdate) {
    switch update {
    case .note(let text): say("note: \(text)")
    case .warning(let text): say("warning: \(text)")
    case .error(let text): say("error: \(text)")
    default: break
    }
  }
}
