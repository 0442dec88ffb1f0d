import Foundation
import TesseraTimeline

/// The programme as an edit decision list (CMX 3600), non-drop-frame.
extension Project {
  /// The text of an `.edl` file.
  var edl: String {
    var lines = ["TITLE: \(Self.line(name).prefix(70))", "FCM: NON-DROP FRAME", ""]
    let programme = tracks.first(where: \.isProgramme)?.clips ?? []
    for (number, clip) in programme.enumerated() {
      let first = frame(at: clip.source)
      let reel = "R\(Self.padded(clip.media + 1, 3))"
      lines += [
        "\(Self.padded(number + 1, 3))  \(reel)     V     C        "
          + [first, first + clip.frames.count, clip.frames.lowerBound, clip.frames.upperBound]
          .map(timecode).joined(separator: " "),
        "* FROM CLIP NAME: \(Self.line(URL(fileURLWithPath: media[clip.media].path).lastPathComponent))",
        "* SOURCE FILE: \(Self.line(media[clip.media].path))",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `HH:MM:SS:FF` of a frame, counted at the whole number of frames a second.
  private func timecode(_ frame: Int) -> String {
    let whole = max(1, Int(saturating: perSecond.rounded()))
    let seconds = frame / whole
    return [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, frame % whole]
      .map { Self.padded($0, 2) }.joined(separator: ":")
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }

  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
