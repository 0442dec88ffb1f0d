import TesseraDocuments
import TesseraTimeline

/// The parts of a Daily file name, `1760000000000-<36 letters>-cam-video-1760000000412`.
///
/// In order: the recording's start, the participant, the type of track, and the track's start.
struct DailyFileName: Hashable {
  let recordingStart: MediaTime
  let person: String
  let type: String
  let start: MediaTime

  init?(_ stem: String) {
    let letters = Array(stem)
    guard let first = letters.firstIndex(of: "-"), let last = letters.lastIndex(of: "-"),
      first + 38 < last, letters[first + 37] == "-",
      let recording = Self.time(letters[..<first]), let start = Self.time(letters[(last + 1)...])
    else { return nil }
    recordingStart = recording
    person = String(letters[(first + 1)..<(first + 37)])
    type = String(letters[(first + 38)..<last])
    self.start = start
  }

  private static func time(_ digits: ArraySlice<Character>) -> MediaTime? {
    guard (12...14).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return DecimalLiteral(String(digits))?.time(.milliseconds)
  }
}

extension DailyFileName {
  init(person: String, type: String, recordingStart: MediaTime, start: MediaTime) {
    self.person = person
    self.type = type
    self.recordingStart = recordingStart
    self.start = start
  }

  var kind: TrackKind { Self.kind(type) }

  static func kind(_ type: String) -> TrackKind {
    let isSound = type.contains("audio")
    if type.hasPrefix("screen") { return isSound ? .screenAudio : .screen }
    return isSound ? .microphone : .camera
  }

  /// The name of an additional source; `nil` for Daily's standard tracks. Applications name custom
  /// tracks.
  var source: String? {
    ["cam-video", "cam-audio", "screen-video", "screen-audio"].contains(type) ? nil : type
  }
}
