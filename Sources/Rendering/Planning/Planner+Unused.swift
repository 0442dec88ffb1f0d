import TesseraMedia
import TesseraSoundtrack

extension Planner {
  /// Which pictures are shown and which sound is mixed of a file with several tracks of a kind, a
  /// sentence each.
  static func unusedNotes(_ probe: InputProbe) -> [String] {
    guard let file = probe.file else { return [] }
    return [
      note(file, .video, used: probe.pictures.first?.track.stream.index, "pictures", "shown"),
      note(file, .audio, used: probe.sounds.first?.track.stream.index, "sound", "mixed"),
    ].compactMap { $0 }
  }

  private static func note(
    _ file: MediaFile, _ kind: StreamInfo.Kind, used: Int?, _ name: String, _ use: String
  ) -> String? {
    let others = file.tracks(kind).filter { $0.link == 0 }.map(\.stream.index).filter { $0 != used }
    guard let used, !others.isEmpty else { return nil }
    let names = others.map { "\($0)" }.listed(most: 4)
    return "\(file.path): of its \(name) only stream \(used) is \(use), not "
      + "\(others.count == 1 ? "stream" : "streams") \(names)."
  }
}
