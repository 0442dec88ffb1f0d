import TesseraMedia
import TesseraSystem
import TesseraTimeline

/// One voice of the mix: opened when its time comes, decoded as far as the mix has come, closed
/// when it has ended.
final class Voice {
  private let source: VoiceSource
  private let cancellation: Cancellation
  /// Where the voice is heard, in samples of the timeline.
  private let range: Range<Int64>
  private var state = State.waiting
  private var reader: SoundReader?
  private var timeline: VoiceTimeline
  private var placed: PlacedSamples
  private var decoded: [Float] = []
  private var counts = VoiceReport()

  private enum State {
    case waiting
    case open
    case ended
  }

  /// The voice of `source` within the first `sampleCount` samples of the timeline.
  init(_ source: VoiceSource, sampleCount: Int64, cancellation: Cancellation) {
    self.source = source
    self.cancellation = cancellation
    let interval = source.interval
    let first = max(0, interval.start.sample(atRate: Soundtrack.sampleRate))
    let end = min(sampleCount, interval.end.sample(atRate: Soundtrack.sampleRate))
    self.range = first..<max(first, end)
    self.timeline = VoiceTimeline(offset: source.start)
    self.placed = PlacedSamples(from: first)
  }

  /// What it contributed so far.
  var report: VoiceReport {
    var report = counts
    report.losses = reader?.losses ?? counts.losses
    report.mixedSamples = placed.mixedCount
    report.droppedSamples = placed.droppedCount
    report.silentSamples = Int(clamping: placed.silentCount)
    return report
  }

  /// Adds what is heard from `position` on to a block of interleaved stereo.
  func mix(into block: inout [Float], at position: Int64) {
    let heard = range.clamped(to: position..<position + Int64(block.count / 2))
    guard !heard.isEmpty, state != .ended else { return }
    if state == .waiting { open() }
    decode(until: heard.upperBound)
    placed.mix(heard, into: &block, origin: position)
    if heard.upperBound == range.upperBound || reader == nil && placed.isEmpty { close() }
  }

  private func open() {
    let begin = MediaTime(sample: range.lowerBound, rate: Soundtrack.sampleRate) - source.start
    do throws(MediaError) {
      reader = try SoundReader.open(
        source.sound, from: begin > Self.shortestSkip ? begin : nil, cancellation: cancellation)
      state = .open
    } catch {
      counts.failure = error.description
      state = .ended
    }
  }

  /// Less than that is read through rather than skipped.
  private static let shortestSkip = MediaTime(seconds: 5)

  private func close() {
    endReading()
    state = .ended
  }

  private func endReading() {
    counts.losses = reader?.losses ?? counts.losses
    reader = nil
  }

  private func decode(until position: Int64) {
    while reader != nil, placed.end < position {
      guard let block = reader?.next() else {
        finishRun()
        return endReading()
      }
      counts.decodedSamples += block.sampleCount
      switch timeline.place(block, before: reader?.following) {
      case .continues:
        break
      case .stretches(let difference):
        counts.stretchedSamples += abs(difference)
        reader?.stretch(by: difference, over: Int(VoiceTimeline.patience))
      case .starts(let start):
        finishRun()
        placed.move(to: start)
      }
      reader?.readSamples(into: &decoded)
      placeDecoded()
    }
  }

  private func finishRun() {
    reader?.finishRun(into: &decoded)
    placeDecoded()
  }

  private func placeDecoded() {
    counts.repairedSamples += Self.repair(&decoded)
    placed.append(decoded)
    decoded.removeAll(keepingCapacity: true)
  }

  /// Makes silence of what cannot be sound, for damaged streams of floating-point samples hold
  /// anything; answers how many samples that were.
  private static func repair(_ samples: inout [Float]) -> Int {
    var count = 0
    for index in samples.indices where !(abs(samples[index]) <= loudest) {
      samples[index] = 0
      count += 1
    }
    return count
  }

  /// 24 dB above full scale.
  private static let loudest: Float = 16
}
