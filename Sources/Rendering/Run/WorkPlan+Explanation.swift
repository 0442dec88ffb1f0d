import Foundation
import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
package import TesseraPlanning
import TesseraTimeline

extension WorkPlan {
  /// The segments, what they cost, and what disk and memory they need, as people read it.
  package var explanation: String {
    let rate = plan.output.video.frameRate
    let total = max(1, costs.reduce(0) { $0 + $1.work })
    var lines = ["segment  from        to          work    pre-roll"]
    for (number, frames) in segments.enumerated() {
      let cost = costs[number]
      let times = [frames.lowerBound, frames.upperBound].map { frame in
        rate.time(ofFrame: frame).clock.padding(toLength: 12, withPad: " ", startingAt: 0)
      }
      lines.append(
        "\(number)".padding(toLength: 9, withPad: " ", startingAt: 0) + times.joined()
          + String(format: "%5.1f %%", 100 * cost.work / total)
          + String(format: "  %5.1f %%", 100 * cost.preroll / max(1, cost.work)))
    }
    let preroll = costs.dropFirst().reduce(0) { $0 + $1.preroll }
    lines.append(
      String(
        format:
          "Decoding again at joints would cost %.1f %% more; rows of segments save that.",
        100 * preroll / total))
    lines.append(
      "A worker takes about \(plan.workerMemory >> 20) MB; here, "
        + "\(RenderSettings().slots(for: plan)) run at once.")
    lines.append("The work folder takes about \(diskEstimate >> 20) MB.")
    return lines.joined(separator: "\n")
  }

  /// Bytes that all pieces take, about: a twenty-fifth of a bit a pixel, which calls stay below at
  /// usual qualities.
  var diskEstimate: Int {
    let video = plan.output.video
    let bits =
      segments.isEmpty
      ? 0 : Double(video.size.width * video.size.height) * Double(plan.frames.count) / 25
    return Int(
      saturating:
        bits / 8 + Double(plan.output.audio.expectedBitRate) / 8 * plan.duration.seconds)
  }

  /// What the sound costs, in the unit of ``costs``.
  var soundCost: Double {
    Double(plan.frames.count) * Double(plan.voices.count + 1) * 40_000
  }
}
