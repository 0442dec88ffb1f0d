import Media
import Soundtrack

extension Planner {
  /// Which sound of a file is mixed, where it has several tracks of it, as a sentence.
  static func unheardNote(_ probe: InputProbe) -> String? {
    guard let used = probe.sound?.stream, let file = try? probe.file.get() else { return nil }
    let others = file.tracks(.audio).map(\.stream.index).filter { $0 != used }
    guard !others.isEmpty else { return nil }
    let names = others.map { "\($0)" }.listed(most: 4)
    return "\(probe.path): of its sound only stream \(used) is mixed, not "
      + "\(others.count == 1 ? "stream" : "streams") \(names)."
  }
}
