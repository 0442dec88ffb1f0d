import TesseraMessages
package import TesseraPlan
package import TesseraRendering
import TesseraTimeline

extension [Plan] {
  /// Reports the notes and losses of the plans of one call before rendering, each sentence once.
  ///
  /// - Returns: the losses, which ``RenderReport/warn(except:_:)`` does not report again.
  @discardableResult
  package func announce(_ context: RequestContext) -> Set<Loss> {
    let losses = flatMap(\.losses)
    for note in flatMap(\.messages).unique { context.note(note) }
    losses.announce(context)
    return Set(losses)
  }
}

extension [Loss] {
  /// Reports each loss as a warning, equal sentences once.
  package func announce(_ context: RequestContext) {
    for warning in map(\.message).unique { context.warn(warning) }
  }
}

extension RenderReport {
  /// Reports the notes on concealed sound, the losses, and an error for each output that failed.
  ///
  /// Equal sentences are reported once. The losses in `known` were announced before rendering and
  /// are skipped. The comparison ignores `shown`.
  package func warn(except known: Set<Loss> = [], _ context: RequestContext) {
    let reports = allReports
    for note in reports.flatMap(\.soundNotes).unique { context.note(note) }
    reports.flatMap(\.allLosses).filter { loss in
      var planned = loss
      planned.shown = nil
      return !known.contains(planned)
    }.announce(context)
    for case (let output, let failure?) in reports.map({ ($0.output, $0.failure) }) {
      context.fail("\(file: output) is not made: \(failure)")
    }
  }
}
