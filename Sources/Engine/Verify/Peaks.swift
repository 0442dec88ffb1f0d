import TesseraSoundtrack

/// The highest level of sound, where it is cut off, and where nothing is heard.
struct Peaks {
  /// The magnitude of the highest level, on samples and between them.
  private(set) var highest: Float = 0
  /// Where samples in a row are at full scale, at most a few.
  private(set) var clipped: [Range<Int64>] = []
  /// Where there is nothing for ``silentSeconds``, at most a few.
  private(set) var silent: [Range<Int64>] = []
  private var full: (start: Int64, count: Int)?
  private var quiet: Range<Int64>?
  /// The last samples, interleaved, with which the next ones are looked at.
  private var tail: [Float] = []

  /// Samples in a row that are clipped sound, and what is full scale.
  private static let (least, scale): (Int, Float) = (4, 0.9995)
  /// The level of silence, and how many samples of it are reported: five seconds.
  private static let (silence, silentSamples): (Float, Int64) = (0.0003, 240_000)

  /// Takes interleaved stereo of which the first sample is number `position`.
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

  /// Ends it.
  mutating func finish() { endSilence() }

  private mutating func endSilence() {
    if let run = quiet, run.upperBound - run.lowerBound >= Self.silentSamples,
      silent.count < Verdict.mostFindings
    {
      silent.append(run)
    }
    quiet = nil
  }

  /// Looks between samples where they are so high that a higher level can lie there.
  private mutating func addBetween(_ samples: [Float], _ sample: Float) {
    let before = tail.reduce(0) { max($0, abs($1)) }
    defer { tail = Array((tail + samples).suffix(2 * (TruePeak.tapCount - 1))) }
    guard max(before, sample) * TruePeak.largestGain > highest else { return }
    let frames = tail + samples
    for newest in (TruePeak.tapCount - 1)..<max(TruePeak.tapCount - 1, frames.count / 2) {
      highest = max(highest, TruePeak.level(frames.span, newest: newest))
    }
  }

  /// What is within half a second of the one before is one.
  private mutating func note(_ range: Range<Int64>) {
    if let last = clipped.last, range.lowerBound - last.upperBound < 24_000 {
      clipped[clipped.count - 1] = last.lowerBound..<range.upperBound
    } else if clipped.count < Verdict.mostFindings {
      clipped.append(range)
    }
  }
}
