import TesseraJobs
import TesseraPlan
import TesseraRecordings

extension TrackKind {
  /// What it is called in sentences: somebody's `camera`.
  var noun: String {
    switch self {
    case .camera: "camera"
    case .screen: "shared screen"
    case .microphone: "microphone"
    case .screenAudio: "shared screen's sound"
    case .still: "picture"
    case .media: "recording"
    }
  }
}
