import Glibc
package import TesseraSystem
import TesseraTimeline

/// Computes a ``VoiceAnalysis`` from sound that arrives in order, from the voice's beginning on.
package struct VoiceAnalyzer: ~Copyable {
  private var analysis = VoiceAnalysis()
  private var meter = LoudnessMeter()
  /// The interleaved samples of the unfinished step.
  private var hop: [Float] = []
  /// The current number of consecutive full-scale samples in each channel.
  private var rows = [0, 0]
  private var sides = SingleChannelDetector()

  /// The amplitude from which consecutive samples count as clipped.
  private static let fullScale: Float = 0.9985

  /// Creates an analyzer without sound.
  package init() { hop.reserveCapacity(2 * VoiceAnalysis.hop) }

  /// Analyzes interleaved stereo at ``Soundtrack/sampleRate``.
  package mutating func append(_ samples: [Float]) {
    var taken = 0
    while taken < samples.count {
      let count = min(2 * VoiceAnalysis.hop - hop.count, samples.count - taken)
      hop.append(contentsOf: samples[taken..<taken + count])
      taken += count
      if hop.count == 2 * VoiceAnalysis.hop { finishHop() }
    }
  }

  private mutating func finishHop() {
    // Magnitudes compare like their bit patterns.
    var (left, right): (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: hop.count, by: 2) {
      left = max(left, hop[index].magnitude.bitPattern)
      right = max(right, hop[index + 1].magnitude.bitPattern)
    }
    sides.add((Float(bitPattern: left), Float(bitPattern: right)))
    let peak = Float(bitPattern: max(left, right))
    analysis.peaks.append(LevelByteCoding.code(amplitude: peak))
    let level = meter.add(hop)
    analysis.levels.append(level.isFinite ? LevelByteCoding.code(level) : 0)
    if peak >= Self.fullScale { countClipped() } else { rows = [0, 0] }
    hop.removeAll(keepingCapacity: true)
  }

  private mutating func countClipped() {
    for index in hop.indices {
      let side = index & 1
      guard abs(hop[index]) >= Self.fullScale else {
        rows[side] = 0
        continue
      }
      rows[side] += 1
      if rows[side] == 3 { analysis.clippedSamples += 3 }
      if rows[side] > 3 { analysis.clippedSamples += 1 }
    }
  }

  /// Returns the analysis of all sound so far.
  package consuming func finish() -> VoiceAnalysis {
    if !hop.isEmpty {
      hop.append(contentsOf: repeatElement(0, count: 2 * VoiceAnalysis.hop - hop.count))
      finishHop()
    }
    analysis.loudness = meter.integrated
    analysis.side = sides.onlySide
    if analysis.side != nil { center() }
    analysis.noiseFloors = NoiseFloorTracker.track(analysis.levels)
    return analysis
  }
}

extension VoiceAnalyzer {
  /// Converts the levels to those of the same sound on both channels: 3 dB more.
  private mutating func center() {
    analysis.loudness = analysis.loudness.map { $0 + 10 * log10(2) }
    for step in analysis.levels.indices where analysis.levels[step] > 0 {
      analysis.levels[step] = UInt8(clamping: Int(analysis.levels[step]) + 6)
    }
  }

  /// Returns the channel that carries all sound of `source`, or `nil` if both do. Reading stops as
  /// soon as both channels have sound.
  ///
  /// - Throws: `CancellationError` if the cancellation was requested.
  package static func side(
    of source: VoiceSource, note: VoiceCrashNote? = nil, cancellation: Cancellation
  ) throws(CancellationError) -> StereoChannel? {
    try analyze(source, untilSidesAreKnown: true, note: note, cancellation: cancellation).analysis
      .side
  }

  /// Analyzes `source` from its file's beginning to the end of its interval.
  ///
  /// The source's start and gain are ignored. If `untilSidesAreKnown`, reading stops as soon as
  /// both channels have sound. An unreadable voice is silent and has its error in the report.
  ///
  /// - Throws: `CancellationError` if the cancellation was requested.
  package static func analyze(
    _ source: VoiceSource, untilSidesAreKnown: Bool = false, note: VoiceCrashNote? = nil,
    cancellation: Cancellation
  ) throws(CancellationError) -> (analysis: VoiceAnalysis, report: VoiceReport) {
    var plain = source
    plain.gain = nil
    plain.start = .zero
    plain.interval = TimeRange(start: .zero, end: source.interval.end - source.start)
    let count = plain.interval.end.sample(atRate: Soundtrack.sampleRate)
    let voice = Voice(plain, sampleCount: count, note: note, cancellation: cancellation)
    var analyzer = VoiceAnalyzer()
    var position: Int64 = 0
    let length = Int64(5 * VoiceAnalysis.hop)
    var block: [Float] = []
    while position < count, !voice.hasEnded, !(untilSidesAreKnown && analyzer.sides.hasBoth) {
      if cancellation.isCancelled { throw CancellationError() }
      let frames = Int(min(length, count - position))
      block.removeAll(keepingCapacity: true)
      block.append(contentsOf: repeatElement(0, count: 2 * frames))
      voice.mix(into: &block, at: position)
      analyzer.append(block)
      position += Int64(frames)
    }
    return (analyzer.finish(), voice.report)
  }
}
