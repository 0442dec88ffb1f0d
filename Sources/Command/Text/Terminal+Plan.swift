import TesseraDelivery
import TesseraPlan
import TesseraRendering

extension Terminal {
  /// Prints the notes and warnings of `plans`, each sentence once; returns the losses among them.
  @discardableResult
  static func announce(_ plans: [Plan]) -> Set<Loss> { plans.announce(say) }

  /// Prints the losses, concealments and skipped outputs of `report`, each sentence once.
  static func warn(of report: RenderReport) { report.warn(say) }

  /// Prints a note, a warning or an error; ignores all other updates.
  static func say(_ update: RequestUpdate) {
    switch update {
    case .note(let text): say("note: \(text)")
    case .warning(let text): say("warning: \(text)")
    case .error(let text): say("error: \(text)")
    default: break
    }
  }
}
