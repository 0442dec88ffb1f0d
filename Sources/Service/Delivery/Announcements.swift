package import TesseraPlan
package import TesseraRendering

extension [Plan] {
  /// Reports the notes and losses of plans of one call, each sentence once, before rendering;
  /// returns the losses.
  @discardableResult
  package func announce(_ context: RequestContext) -> Set<Loss> {
    let losses = flatMap(\.losses)
    for text in flatMap(\.notes).once { context.report(.note(text)) }
    losses.announce(context)
    return Set(losses)
  }
}

extension [Loss] {
  /// Reports the losses, each sentence once.
  package func announce(_ context: RequestContext) {
    for text in named(by: context.names).map(\.sentence).once { context.report(.warning(text)) }
  }
}

extension RenderReport {
  /// Reports losses, concealed sound and outputs that are not made, each sentence once, without
  /// the `known` losses.
  package func warn(except known: Set<Loss> = [], _ context: RequestContext) {
    let reports = allReports
    for text in reports.flatMap(\.soundNotes).once { context.report(.note(text)) }
    reports.flatMap(\.allLosses).filter { loss in
      var planned = loss
      planned.shown = nil
      return !known.contains(planned)
    }.announce(context)
    for case (let output, let error?) in reports.map({ ($0.output, $0.error) }) {
      context.report(.error("\(output) is not made: \(error)"))
    }
  }
}

extension [String] {
  /// Each text where it comes first.
  fileprivate var once: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
