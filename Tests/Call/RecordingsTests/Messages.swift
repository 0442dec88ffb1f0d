/// What is said where `work` fails; nil where it does not.
func message(_ work: () throws -> Void) -> String? {
  do {
    try work()
    return nil
  } catch {
    return "\(error)"
  }
}
