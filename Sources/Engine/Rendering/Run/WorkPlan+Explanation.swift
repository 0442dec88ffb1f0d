import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraPixels
import TesseraPlan
import TesseraSoundtrack
import TesseraTimeline

extension WorkPlan {
  /// The segments, their costs, and the disk space and memory that they need, as text for people.
  package var explanation: String {
    let total = max(1, sections.reduce(0) { $0 + $1.cost.work })
    var lines = renditions.flatMap { rendition in
      renditions.count == 1 ? rendition.explanation : ["", rendition.title] + rendition.explanation
    }
    let preroll = sections.dropFirst().reduce(0) { $0 + $1.cost.preroll }
    if renditions.count > 1 { lines += ["", together] }
    lines.append(
      String(
        format:
          "Decoding again at joints would cost %.1f %% more; rows of segments save that.",
        100 * preroll / total))
    if soundPieceCount > 0 {
      let sound = soundPieceCosts.reduce(0, +)
      lines.append(
        String(
          format: "The sound is mixed in %d pieces, which take %.1f %% of all work.",
          soundPieceCount,
          100 * sound / (sound + soundtrackCost + total)))
    }
    lines.append(
      "A worker takes about \(workerMemory >> 20) MB; here, "
        + "\(RenderSettings().slots(for: self)) run at once.")
    lines.append("The work folder takes about \(diskEstimate >> 20) MB.")
    return lines.joined(separator: "\n")
  }

  /// A sentence about the cost of rendering all outputs together.
  private var together: String {
    let all = sections.reduce(0) { $0 + $1.cost.work }
    let alone = renditions.flatMap(\.costs).reduce(0) { $0 + $1.work }
    return String(
      format: "Together, the outputs take %.0f %% of the work of making each alone.",
      100 * all / max(1, alone))
  }

  /// Estimated size of all pieces in the work folder, in bytes.
  var diskEstimate: Int {
    let pictures = renditions.reduce(0) { $0 +| $1.pictureBytes }
    return soundtracks.reduce(pictures) { $0 +| renditions[$1].soundBytes }
  }

  /// The cost of all sound, in the unit of segments' costs.
  var soundCost: Double { soundtrackCost + soundPieceCosts.reduce(0, +) }

  /// The cost of all soundtracks after their pieces are finished.
  var soundtrackCost: Double {
    soundtracks.reduce(0) { sum, number in
      let rendition = renditions[number]
      return sum + rendition.encodingCost
        + (rendition.soundPieces.count > 1 ? 0 : rendition.mixingCost)
    }
  }

  /// The cost of each piece of the sound, summed over all renditions.
  var soundPieceCosts: [Double] {
    (0..<soundPieceCount).map { piece in
      renditions(ofSoundPiece: piece).reduce(0) { sum, number in
        sum + renditions[number].mixingCost / Double(renditions[number].soundPieces.count)
      }
    }
  }
}

extension RenditionPlan {
  /// The rendition's heading in the explanation.
  fileprivate var title: String { output.isEmpty ? "the main output" : output }

  /// A table with a line for each segment.
  fileprivate var explanation: [String] {
    guard !segments.isEmpty else { return ["no segments: sound alone"] }
    let total = max(1, costs.reduce(0) { $0 + $1.work })
    var lines = ["segment  from        to          work    pre-roll"]
    for (number, frames) in segments.enumerated() {
      let cost = costs[number]
      let times = [frames.lowerBound, frames.upperBound].map { frame in
        plan.output.video.frameRate.time(ofFrame: frame).clock
          .padding(toLength: 12, withPad: " ", startingAt: 0)
      }
      lines.append(
        "\(number)".padding(toLength: 9, withPad: " ", startingAt: 0) + times.joined()
          + String(format: "%5.1f %%", 100 * cost.work / total)
          + String(format: "  %5.1f %%", 100 * cost.preroll / max(1, cost.work)))
    }
    return lines
  }

  /// Estimated size of all segments, in bytes.
  ///
  /// Measured with x264 at the default quality: the bits per pixel are about a constant times the
  /// square root of the recordings' bits per pixel. Actual sizes range from half of that, for a
  /// person who sits still, to 2.5 times that, for noise.
  fileprivate var pictureBytes: Int {
    guard !segments.isEmpty else { return 0 }
    let size = plan.output.video.size
    let pixels = Double(size.width * size.height) * Double(plan.cut.count)
    return Int(saturating: 0.16 * sourceBits.squareRoot() * pixels / 8)
  }

  /// Average bits per pixel of the recordings; 1/16 if unknown.
  private var sourceBits: Double {
    var (bits, pixels) = (0.0, 0.0)
    for track in plan.tracks {
      let source = track.source
      guard let size = source.track.stream.video?.size else { continue }
      bits += source.index.sizes[source.track.packets].reduce(0) { $0 + Double($1) } * 8
      pixels += Double(source.track.packets.count * size.width * size.height)
    }
    return pixels > 0 && bits > 0 ? bits / pixels : 1 / 16
  }

  /// Estimated size of the soundtrack and its pieces, in bytes.
  fileprivate var soundBytes: Int {
    let rate = Double(plan.output.audio.expectedBitRate)
    let pieces = Double(soundPieces.count > 1 ? soundPieces.sampleCount : 0) / 48_000
    return Int(
      saturating: (rate * plan.duration.seconds + Double(SoundPieceFile.expectedBitRate) * pieces)
        / 8)
  }

  /// The cost of mixing and the cost of encoding the sound, in pixels.
  fileprivate var mixingCost: Double { Double(plan.cut.count) * Double(plan.voices.count) * 40_000 }
  fileprivate var encodingCost: Double { Double(plan.cut.count) * 40_000 }
}
