/// Returns the message of the error that `work` throws, or `nil`.
func message(_ work: () throws -> Void) -> String? {
  do {
    try work()
    return nil
  } catch {
    return "\(error)"
  }
}
