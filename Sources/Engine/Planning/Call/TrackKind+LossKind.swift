import TesseraPlan
import TesseraRecordings

extension TrackKind {
  /// Whether somebody is heard talking in it.
  var isSpeech: Bool { self != .screenAudio && self != .screen }

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
