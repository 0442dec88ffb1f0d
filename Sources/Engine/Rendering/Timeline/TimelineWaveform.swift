import Glibc
import TesseraPlan
import TesseraSoundtrack
import TesseraTimeline

/// The waveform of a participant's sound, with one line for each column of pixels.
struct TimelineWaveform {
  let axis: TimelineAxis
  /// The peak amplitude of each column of pixels, 0...1.
  private(set) var peaks: [Float]

  /// Computes the waveform of `voices` from their `analyses`.
  init(
    _ voices: [Plan.Voice], _ analyses: [TrackID: VoiceAnalysis], on axis: TimelineAxis
  ) {
    self.axis = axis
    peaks = Array(repeating: 0, count: Int(saturating: axis.width))
    for voice in voices {
      if let analysis = analyses[voice.id] { add(voice.source, analysis) }
    }
  }

  private mutating func add(_ source: VoiceSource, _ analysis: VoiceAnalysis) {
    let step = Int64(1_000_000_000 / VoiceAnalysis.hopsPerSecond)
    for column in peaks.indices {
      let start = max(axis.time(ofColumn: column), source.interval.start)
      let end = min(axis.time(ofColumn: column + 1), source.interval.end)
      guard start < end else { continue }
      let first = Int(max(0, (start - source.start).nanoseconds / step))
      let last = Int(max(0, ((end - source.start).nanoseconds +| step -| 1) / step))
      let hops = (first..<max(first + 1, last)).clamped(to: analysis.peaks.indices)
      guard let peak = analysis.peaks[hops].max(), peak > 0 else { continue }
      peaks[column] = max(peaks[column], Float(pow(10, LevelByteCoding.decibels(peak) / 20)))
    }
  }

  /// Returns an SVG path of lines around `middle`, up to `reach` pixels up and down, in the columns
  /// whose frames satisfy `isMeant`; nil if there are none. Heights are proportional to the square
  /// root of the amplitude, so that quiet voices are visible.
  func path(
    middle: Double, reach: Double, where isMeant: (_ frame: Int) -> Bool = { _ in true }
  ) -> String? {
    var path = ""
    for (column, peak) in peaks.enumerated() where peak > 0 {
      let frame = axis.frameRate.firstFrame(showing: axis.time(ofColumn: column))
      guard isMeant(frame) else { continue }
      let height = max(0.5, reach * Double(min(1, peak).squareRoot()))
      let x = SVGFormatter.number(axis.left + Double(column) + 0.5)
      path += "M\(x) \(SVGFormatter.number(middle - height))v\(SVGFormatter.number(2 * height))"
    }
    return path.isEmpty ? nil : path
  }
}
