import TesseraDelivery

extension Terminal {
  /// Prints the sentence of `update`, if it has one.
  static func say(_ update: RequestUpdate) {
    switch update {
    case .note(let text): say("note: \(text)")
    case .warning(let text): say("warning: \(text)")
    case .error(let text): say("error: \(text)")
    case .planning, .rendering, .made, .report, .finished: break
    }
  }
}
