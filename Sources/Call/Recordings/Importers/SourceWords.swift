/// What the name that a program gave a track says: `cam-ada`, `screen_share`, `mic`.
struct SourceWords {
  /// The parts between separators, in lower case where they are compared.
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

  /// Whether it names a shared screen.
  var isScreen: Bool { words.contains { Self.screen.contains($0.lowercased()) } }
  /// Whether it names sound.
  var isSound: Bool { words.contains { Self.sound.contains($0.lowercased()) } }
  /// Whether it names a picture of somebody.
  var isCamera: Bool { words.contains { Self.camera.contains($0.lowercased()) } }

  /// The kind that it names; nil where it names none.
  var kind: TrackKind? {
    if isScreen { return isSound && !isCamera ? .screenAudio : .screen }
    if isSound { return .microphone }
    return isCamera ? .camera : nil
  }

  /// Whether the word says what a track is, not whose.
  static func isKind(_ word: some StringProtocol) -> Bool {
    let word = word.lowercased()
    return screen.contains(word) || camera.contains(word) || sound.contains(word)
  }

  /// What is left without the words for kinds: whose track it is; nil where nothing is.
  var person: String? {
    let rest = words.filter { !Self.isKind($0) && $0.lowercased() != "track" }
    guard rest.count < words.count, rest.contains(where: { $0.contains(where: \.isLetter) })
    else { return nil }
    return rest.joined(separator: " ")
  }
}
