import TesseraDelivery

extension StandardError {
  /// Prints a note, a warning or an error; ignores all other updates.
  static func print(_ update: RequestUpdate) {
    switch update {
    case .note(let text): print("note: \(text)")
    case .warning(let text): print("warning: \(text)")
    case .error(let text): print("error: \(text)")
    case .planning, .rendering, .created, .report, .finished: break
    }
  }
}
