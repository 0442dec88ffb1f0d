import TesseraSoundtrack

/// Measures the true peak of sound and finds clipped and silent stretches.
struct PeakMeter {
  /// The highest magnitude on samples and between them (true peak); 1 is full scale.
  private(set) var highest: Float = 0
  /// Clipped stretches, in samples, at most ``VerificationReport/mostFindings``.
  private(set) var clipped: [Range<Int64>] = []
  /// Silent stretches of at least 5 s, in samples, at most ``VerificationReport/mostFindings``.
  private(set) var silent: [Range<Int64>] = []
  private var full: (start: Int64, count: Int)?
  private var quiet: Range<Int64>?
  /// The last interleaved samples, which the true-peak filter needs before the next ones.
  private var tail: [Float] = []

  /// The least number of consecutive samples that counts as clipping, and the level of full scale.
  private static let (least, scale): (Int, Float) = (4, 0.9995)
  /// The level below which sound is silent, and the least samples of silence to report: 5 s.
  private static let (silence, silentSamples): (Float, Int64) = (0.0003, 240_000)

  /// Takes interleaved stereo samples; the first has the number `position`.
  mutating func add(_ samples: [Float], from position: Int64) {
    var highestSample: Float = 0
    for frame in 0..<(samples.count / 2) {
      let value = max(abs(samples[2 * frame]), abs(samples[2 * frame + 1]))
      highestSample = max(highestSample, value)
      if value >= Self.scale {
        full = (full?.start ?? position + Int64(frame), (full?.count ?? 0) + 1)
      } else if let ended = full {
        if ended.count >= Self.least { note(ended.start..<ended.start + Int64(ended.count)) }
        full = nil
      }
    }
    let end = position + Int64(samples.count / 2)
    if highestSample < Self.silence {
      quiet = (quiet?.lowerBound ?? position)..<end
    } else {
      endSilence()
    }
    addBetween(samples, highestSample)
  }

  /// Ends the last silent stretch.
  mutating func finish() { endSilence() }

  private mutating func endSilence() {
    if let run = quiet, run.upperBound - run.lowerBound >= Self.silentSamples,
      silent.count < VerificationReport.mostFindings
    {
      silent.append(run)
    }
    quiet = nil
  }

  /// Computes levels between samples, but only where samples are high enough to raise the maximum.
  private mutating func addBetween(_ samples: [Float], _ sample: Float) {
    let before = tail.reduce(0) { max($0, abs($1)) }
    defer { tail = Array((tail + samples).suffix(2 * (TruePeak.tapCount - 1))) }
    guard max(before, sample) * TruePeak.largestGain > highest else { return }
    let frames = tail + samples
    for newest in (TruePeak.tapCount - 1)..<max(TruePeak.tapCount - 1, frames.count / 2) {
      highest = max(highest, TruePeak.level(frames.span, newest: newest))
    }
  }

  /// Adds a clipped stretch. Stretches less than 0.5 s apart are joined.
  private mutating func note(_ range: Range<Int64>) {
    if let last = clipped.last, range.lowerBound - last.upperBound < 24_000 {
      clipped[clipped.count - 1] = last.lowerBound..<range.upperBound
    } else if clipped.count < VerificationReport.mostFindings {
      clipped.append(range)
    }
  }
}
