import TesseraPlan
import TesseraRecordings

extension TrackKind {
  /// True if the track's audio is speech, not the sound of a shared screen.
  var isSpeech: Bool { self != .screenAudio && self != .screen }

  /// The track's kind as losses report it.
  var lossKind: Loss.RecordingKind {
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
