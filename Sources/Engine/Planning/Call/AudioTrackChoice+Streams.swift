import TesseraCodecs
import TesseraRequest

extension AudioTrackChoice {
  /// Returns the container indices of the chosen audio streams of `file`. Returns `nil` for the
  /// preferred stream, also if no stream has the chosen name.
  func streams(of file: MediaFileInfo) -> Set<Int>? {
    var seen: Set<Int> = []
    let streams = file.tracks(.audio).map(\.stream).filter { seen.insert($0.index).inserted }
      .sorted { $0.index < $1.index }
    switch self {
    case .preferred: return nil
    case .all: return streams.isEmpty ? nil : seen
    case .named(let name):
      let wanted = name.lowercased()
      let found =
        streams.first { $0.language?.lowercased() == wanted || $0.title?.lowercased() == wanted }
        ?? Int(name).flatMap { streams.indices.contains($0 - 1) ? streams[$0 - 1] : nil }
      return found.map { [$0.index] }
    }
  }
}
