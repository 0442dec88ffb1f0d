package import TesseraPlan
package import TesseraRendering

extension [Plan] {
  /// Reports the notes and losses of plans of one call, each sentence once, before rendering; returns the losses.
  @discardableResult
  package func announce(_ engine: RequestEngine) -> Set<Loss> {
    let losses = flatMap(\.losses)
    for text in flatMap(\.notes).once { engine.tell(.note(text)) }
    for text in losses.sentences(engine) { engine.tell(.warning(text)) }
    return Set(losses)
  }
}

extension RenderReport {
  /// Reports losses, concealed sound and outputs that are not made, each sentence once, without the `known` losses.
  package func warn(except known: Set<Loss> = [], _ engine: RequestEngine) {
    let reports = withOthers
    for text in reports.flatMap(\.soundNotes).once { engine.tell(.note(text)) }
    let losses = reports.flatMap(\.allLosses).filter { loss in
      var planned = loss
      planned.shown = nil
      return !known.contains(planned)
    }
    for text in losses.sentences(engine) { engine.tell(.warning(text)) }
    for report in reports {
      guard let error = report.error else { continue }
      engine.tell(.error("\(engine.names.name(of: report.output)) is not made: \(error)"))
    }
  }
}

extension [Loss] {
  /// Reports the losses.
  package func announce(_ engine: RequestEngine) {
    for loss in self { engine.tell(.warning(loss.named(by: engine.names).sentence)) }
  }

  /// The sentences about the losses, each once, with names in place of paths.
  fileprivate func sentences(_ engine: RequestEngine) -> [String] {
    map { $0.named(by: engine.names).sentence }.once
  }
}

extension [String] {
  /// Each text where it comes first.
  fileprivate var once: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
