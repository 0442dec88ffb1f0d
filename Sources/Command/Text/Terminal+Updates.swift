import TesseraDelivery

extension Terminal {
  /// Prints a note, a warning or an error; ignores all other updates.
  static func say(_ update: RequestUpdate) {
    switch update {
    case .note(let text): say("note: \(text)")
    case .warning(let text): say("warning: \(text)")
    case .error(let text): say("error: \(text)")
    case .planning, .rendering, .made, .report, .finished: break
    }
  }
}
