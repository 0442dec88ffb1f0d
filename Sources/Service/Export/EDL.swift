import Foundation
import TesseraTimeline

/// The programme track as an edit decision list (CMX 3600), non-drop-frame.
extension EditorProject {
  /// The programme track as the text of an `.edl` file.
  var edl: String {
    var lines = ["TITLE: \(Self.line(name).prefix(70))", "FCM: NON-DROP FRAME", ""]
    let events = events
    var count = 0
    for (number, event) in events.enumerated() {
      let (clip, file) = (event.clip, media[event.clip.media])
      let source = source(of: clip)
      let times = [
        source.lowerBound, source.upperBound, clip.frames.lowerBound, clip.frames.upperBound,
      ].map(timecode).joined(separator: " ")
      let path = path(of: file)
      let name = URL(fileURLWithPath: file.path).lastPathComponent
      // Picture and sound get separate event numbers: OpenShot reads no event with two channels,
      // and OpenTimelineIO takes two lines with one number for a transition.
      for channel in event.isHeard ? ["V", "A"] : ["V"] {
        count += 1
        lines += [
          // AX is an auxiliary source: a file instead of a tape. OpenShot accepts no other source.
          String(format: "%03d  AX       ", count) + "\(channel)     C        \(times)",
          // OpenShot takes the clip name for a path, and asks for the folder of a bare name.
          "* FROM CLIP NAME: \(Self.line(folder == nil ? path : name))",
          "* SOURCE FILE: \(Self.line(path))",
        ]
      }
      let end = number + 1 < events.count ? events[number + 1].clip.frames.lowerBound : Int.max
      let first = number == 0 ? 0 : clip.frames.lowerBound
      for marker in markers where first..<end ~= marker.frames.lowerBound {
        let color = marker.isChapter ? "RED" : "GREEN"
        lines.append(
          "* LOC: \(timecode(marker.frames.lowerBound)) \(color)     \(Self.locator(marker.name))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the time code `HH:MM:SS:FF` of a frame, at the frame rate rounded to a whole number.
  private func timecode(_ frame: Int) -> String {
    let whole = max(1, Int(saturating: perSecond.rounded()))
    let seconds = frame / whole
    return String(
      format: "%02d:%02d:%02d:%02d", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60,
      frame % whole)
  }

  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// Returns the text of a locator. OpenShot takes any line with three digits followed by seven
  /// words for an event, so long texts are joined with underscores.
  private static func locator(_ text: String) -> String {
    let words = line(text).split(separator: " ")
    return words.joined(separator: words.count > 6 ? "_" : " ")
  }
}
