import Foundation
import TesseraMessages
import TesseraPixels
import TesseraPlanning
import TesseraTimeline

/// Formats the inspection of a recording as text: container, streams, gaps, levels and warnings.
enum InspectionText {
  static func text(_ found: RecordingInspection) -> String {
    var lines = [
      found.path,
      "  \(found.container), \(RenderSummaryFormatter.bytes(Int(found.byteCount))), "
        + "\(seconds(found.duration)) s, starts at \(seconds(found.startTime)) s"
        + (found.title.map { ", \"\($0)\"" } ?? ""),
    ]
    lines += found.video.flatMap { video($0) }
    lines += found.audio.flatMap { audio($0) }
    lines += (found.levels ?? []).map { "  level of stream \($0.stream): \(LevelText.text($0))" }
    lines += found.warnings.map { "  warning: \($0.commandLine)" }
    return String.lines(lines)
  }

  private static func video(_ track: RecordingInspection.VideoTrack) -> [String] {
    var facts = ["\(track.size.width)x\(track.size.height)"]
    if track.sampleAspectRatio != .square {
      let ratio = track.sampleAspectRatio
      facts.append("sample aspect ratio \(ratio.numerator):\(ratio.denominator)")
    }
    if track.rotation != 0 { facts.append("turned by \(track.rotation)°") }
    if track.isMirrored { facts.append("mirrored") }
    if track.isInterlaced { facts.append("interlaced") }
    facts.append("\(track.pixelFormat ?? "unknown format")")
    facts.append("\(track.color.matrix.rawValue) \(track.color.range.rawValue) range")
    let name = "  stream \(track.stream): \(track.codec)"
    return [
      "\(name) \(facts.joined(separator: ", "))\(track.isUsed ? "" : " (not used)")",
      "    \(track.packetCount.counted("picture")) from \(seconds(track.start)) to \(seconds(track.end)) s, "
        + rate(track),
    ] + gaps(track.gaps)
  }

  private static func rate(_ track: RecordingInspection.VideoTrack) -> String {
    var parts: [String] = []
    if let intervals = track.intervals, intervals.median > 0 {
      let mean = (track.end - track.start) / Double(track.packetCount)
      let rate = String(format: "%.2f", 1 / mean)
      let kind = intervals.isConstant ? "constant" : "variable"
      parts.append(
        "\(kind) rate, \(rate) a second, every \(milliseconds(intervals.minimum)) / "
          + "\(milliseconds(intervals.median)) / \(milliseconds(intervals.maximum)) ms "
          + "(least / median / most)")
    }
    if let keyframes = track.keyframeIntervals {
      parts.append("keyframe every \(seconds(keyframes.median)) s")
    } else {
      parts.append(track.keyframeCount.counted("keyframe"))
    }
    return parts.joined(separator: "; ")
  }

  private static func audio(_ track: RecordingInspection.AudioTrack) -> [String] {
    let facts =
      "  stream \(track.stream): \(track.codec) \(track.sampleRate) Hz, "
      + "\(track.channels.counted("channel")), "
      + "from \(seconds(track.start)) to \(seconds(track.end)) s"
      + drift(track.driftPartsPerMillion ?? 0)
    return [facts + (track.isUsed ? "" : " (not used)")] + gaps(track.gaps)
  }

  private static func drift(_ partsPerMillion: Double) -> String {
    let parts = Int(partsPerMillion.rounded())
    return parts == 0 ? "" : ", its clock \(abs(parts)) ppm \(parts > 0 ? "slow" : "fast")"
  }

  private static func gaps(_ gaps: [RecordingInspection.Gap]) -> [String] {
    gaps.prefix(10).map { "    gap of \(seconds($0.duration)) s at \(seconds($0.start)) s" }
      + (gaps.count > 10 ? ["    and \(gaps.count - 10) more gaps"] : [])
  }

  private static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }

  private static func milliseconds(_ value: Double) -> String {
    String(format: "%.1f", value * 1000)
  }
}
