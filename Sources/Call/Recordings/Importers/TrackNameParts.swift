/// Parses a track name that a program chose, such as `cam-ada`, `screen_share` or `mic`.
struct TrackNameParts {
  /// The words between separators, in their original case.
  private let words: [Substring]

  init(_ text: String) {
    words = text.split { " -_.:/".contains($0) }
  }

  private static let screen: Set<String> = [
    "screen", "screenshare", "screensharing", "share", "sharing", "desktop", "display",
    "presentation", "slides", "window", "monitor", "screencast", "screenrecorder",
    "screenrecording", "bildschirm", "bildschirmaufnahme", "écran", "pantalla", "schermo",
  ]
  private static let camera: Set<String> = [
    "cam", "camera", "video", "webcam", "facecam", "picture", "face",
  ]
  private static let sound: Set<String> = [
    "mic", "microphone", "audio", "voice", "sound", "headset",
  ]

  /// True if a word denotes a shared screen.
  var isScreen: Bool { words.contains { Self.screen.contains($0.lowercased()) } }
  /// True if a word denotes sound.
  var isSound: Bool { words.contains { Self.sound.contains($0.lowercased()) } }
  /// True if a word denotes a camera.
  var isCamera: Bool { words.contains { Self.camera.contains($0.lowercased()) } }

  /// The kind of track; `nil` if no word states it.
  var kind: TrackKind? {
    if isScreen { return isSound && !isCamera ? .screenAudio : .screen }
    if isSound { return .microphone }
    return isCamera ? .camera : nil
  }

  /// True if the word states a track's kind and not its participant.
  static func isKind(_ word: some StringProtocol) -> Bool {
    let word = word.lowercased()
    return screen.contains(word) || camera.contains(word) || sound.contains(word)
  }

  /// The words that do not state a kind, which name the participant; `nil` if there are none.
  var person: String? {
    let rest = words.filter { !Self.isKind($0) && $0.lowercased() != "track" }
    guard rest.count < words.count, rest.contains(where: { $0.contains(where: \.isLetter) })
    else { return nil }
    return rest.joined(separator: " ")
  }
}
