import Foundation
import TesseraMessages
import TesseraPlanning
import TesseraSoundtrack

/// Formats the audio levels of a recording as a line of text: a bar, loudness, noise, peak, clock
/// drift.
enum LevelText {
  static func text(_ level: RecordingInspection.LoudnessLevel) -> String {
    if let failure = level.failure { return failure.commandLine }
    let levels = level.levels
    var facts: [String] = []
    if let speech = levels.speechLoudness { facts.append("speech \(number(speech)) LUFS") }
    facts.append(levels.loudness.map { "loudness \(number($0)) LUFS" } ?? "silent")
    if let noise = levels.noiseFloor { facts.append("noise \(number(noise)) LUFS") }
    if let peak = levels.peak { facts.append("peak \(number(peak)) dBFS") }
    if levels.clippedSamples > 0 { facts.append("\(levels.clippedSamples) samples clipped") }
    let drift = level.driftPartsPerMillion.rounded()
    if drift != 0 { facts.append("clock \(Int(abs(drift))) ppm \(drift > 0 ? "slow" : "fast")") }
    return "\(levels.bar(width: 20)) \(facts.joined(separator: ", "))"
  }

  private static func number(_ decibels: Double) -> String { String(format: "%.1f", decibels) }
}
