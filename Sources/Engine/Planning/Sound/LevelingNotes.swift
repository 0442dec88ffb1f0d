import Foundation
import TesseraMessages
import TesseraPlan
import TesseraSoundtrack
import TesseraTimeline

/// Notes about voices and mixes that leveling could not bring to their target, one sentence each.
struct LevelingNotes {
  private let result: VoiceLeveler.Result
  private let target: Double

  /// The maximum deviation of a mix that counts as on target, in LU.
  private static let tolerance = 0.5

  /// Creates notes for the result of leveling to `target` LUFS.
  init(_ result: VoiceLeveler.Result, target: Double) {
    (self.result, self.target) = (result, target)
  }

  /// Returns the notes; `names` are the names of the voices' owners.
  func sentences(names: [String]) -> [UserMessage] {
    var notes: [UserMessage] = []
    var named: Set<String> = []
    for (name, limit) in zip(names, result.limits) {
      guard let limit, named.insert(name).inserted else { continue }
      notes.append(sentence(name, limit))
    }
    if let loudness = result.loudness, abs(loudness - target) > Self.tolerance {
      notes.append(
        "the mix has \(Self.text(loudness)) LUFS instead of \(Self.text(target)) LUFS.")
    }
    return notes
  }

  private func sentence(_ name: String, _ limit: VoiceLeveler.LimitReason) -> UserMessage {
    let side = limit.distance < 0 ? "below" : "above"
    let reason =
      limit.isNoise
      ? "its noise would be heard if it were raised more"
      : limit.distance < 0
        ? "a voice is raised by \(Self.text(VoiceLeveler.gains.upperBound)) dB at most"
        : "a voice is turned down by \(Self.text(-VoiceLeveler.gains.lowerBound)) dB at most"
    return
      "\(name) stays \(Int(saturating: abs(limit.distance).rounded())) LU \(side) the others: \(reason)."
  }

  private static func text(_ value: Double) -> String {
    let text = String(format: "%.1f", value)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
