import TesseraPlan
import TesseraRecordings

extension TrackKind {
  /// What losses call it.
  var lossKind: Loss.Kind {
    switch self {
    case .camera: .camera
    case .screen: .screen
    case .microphone: .microphone
    case .screenAudio: .screenAudio
    case .still: .still
    case .media: .media
    }
  }
}
