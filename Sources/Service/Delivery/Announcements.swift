package import TesseraPlan
package import TesseraRendering

extension [Plan] {
  /// Reports what is worth knowing before plans of one call are rendered, each sentence once; returns
  /// the losses among it.
  @discardableResult
  package func announce(_ tell: (RequestUpdate) -> Void) -> Set<Loss> {
    let losses = flatMap(\.losses)
    for text in flatMap(\.notes).once { tell(.note(text)) }
    for text in losses.map(\.sentence).once { tell(.warning(text)) }
    return Set(losses)
  }
}

extension RenderReport {
  /// Reports what was lost, made up and not made, each sentence once, except what is `known`.
  package func warn(except known: Set<Loss> = [], _ tell: (RequestUpdate) -> Void) {
    let reports = withOthers
    for text in reports.flatMap(\.soundNotes).once { tell(.note(text)) }
    let losses = reports.flatMap(\.allLosses).filter { loss in
      var planned = loss
      planned.shown = nil
      return !known.contains(planned)
    }
    for text in losses.map(\.sentence).once { tell(.warning(text)) }
    for report in reports {
      guard let error = report.error else { continue }
      tell(.error("\(report.output) is not made: \(error)"))
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
