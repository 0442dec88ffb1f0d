import TesseraCodecs
import TesseraSystem
import TesseraTimeline

/// One voice of a mix. The voice is opened at the beginning of its interval, decoded as far as the
/// mix has advanced, and closed at its end.
final class Voice {
  private let source: VoiceSource
  private let cancellation: Cancellation
  private let note: VoiceCrashNote?
  /// The samples of the timeline in which the voice is heard.
  private let range: Range<Int64>
  private var state = DecodePhase.waiting
  private var voice: VoiceResampler?
  private var gain: GainCurve.Applier?
  private var block: [Float] = []
  /// The report after the voice has ended or failed to open.
  private var finalReport = VoiceReport()

  private enum DecodePhase {
    case waiting
    case open
    case ended
  }

  /// Creates the voice of `source`, heard from sample `first` on, on a timeline of `sampleCount`
  /// samples. No file is opened yet.
  init(
    _ source: VoiceSource, first: Int64 = 0, sampleCount: Int64, note: VoiceCrashNote? = nil,
    cancellation: Cancellation
  ) {
    (self.source, self.note) = (source, note)
    self.cancellation = cancellation
    self.range = Self.range(of: source, first: first, sampleCount: sampleCount)
    let start = source.start.sample(atRate: Soundtrack.sampleRate)
    gain = source.gain.map { GainCurve.Applier($0, origin: start) }
  }

  /// Returns the samples of the timeline, within `first..<sampleCount`, in which `source` is heard.
  static func range(
    of source: VoiceSource, first: Int64 = 0, sampleCount: Int64
  ) -> Range<Int64> {
    let interval = source.interval
    let first = max(first, interval.start.sample(atRate: Soundtrack.sampleRate))
    let end = min(sampleCount, interval.end.sample(atRate: Soundtrack.sampleRate))
    return first..<max(first, end)
  }

  /// True if the rest of the voice is silent.
  var hasEnded: Bool { state == .ended }

  /// The report on the voice so far.
  var report: VoiceReport {
    guard var report = voice?.counts, let placed = voice?.placed else { return finalReport }
    report.mixedSamples = placed.mixedCount
    report.droppedSamples = placed.droppedCount
    report.silentSamples = Int(clamping: placed.silentCount)
    return report
  }

  /// Adds the voice's sound to `mix`, a block of interleaved stereo whose first frame is at
  /// `position`.
  func mix(into mix: inout [Float], at position: Int64) {
    let heard = range.clamped(to: position..<position + Int64(mix.count / 2))
    guard !heard.isEmpty, state != .ended else { return }
    note?.enter(heard.lowerBound)
    defer { note?.leave() }
    if state == .waiting { open() }
    let isLast = heard.upperBound == range.upperBound
    if gain == nil {
      voice?.mix(heard, into: &mix, origin: position, isLast: isLast)
    } else {
      mixWithGain(heard, into: &mix, origin: position, isLast: isLast)
    }
    if isLast || voice?.hasEnded != false && voice?.placed.isEmpty != false { close() }
  }

  private func mixWithGain(
    _ heard: Range<Int64>, into mix: inout [Float], origin: Int64, isLast: Bool
  ) {
    block.removeAll(keepingCapacity: true)
    block.append(contentsOf: repeatElement(0, count: 2 * heard.count))
    voice?.mix(heard, into: &block, origin: heard.lowerBound, isLast: isLast)
    let first = 2 * Int(heard.lowerBound - origin)
    gain?.add(block, to: &mix, from: first, at: heard.lowerBound)
  }

  private func open() {
    do throws(MediaError) {
      voice = try VoiceResampler.open(
        source, from: range.lowerBound, cancellation: cancellation)
      state = .open
    } catch {
      finalReport.failure = .unreadable(error)
      state = .ended
    }
  }

  private func close() {
    voice?.close()
    finalReport = report
    voice = nil
    state = .ended
  }
}
