import TesseraCodecs
package import TesseraSystem

/// The sound of a whole timeline: all voices at their places, summed, spliced and limited.
///
/// The output is interleaved stereo in 32-bit floating point at 48 kHz, pulled block by block:
///
///     var soundtrack = Soundtrack(voices, sampleCount: n, cancellation: token)
///     var block: [Float] = []
///     while try soundtrack.next(into: &block) { … }
///     report(soundtrack.voiceReports)
package struct Soundtrack {
  /// The sample rate of all sound after the decoders, in hertz.
  package static let sampleRate = 48_000
  /// The number of samples per channel in a block: the length of an AAC packet.
  package static let blockLength = AudioEncoder.blockLength

  /// The number of samples per channel to deliver.
  private let sampleCount: Int64
  private let cancellation: Cancellation
  private let mixer: any MixSource
  private var splicer: Splicer?
  private var limiter = Limiter()
  private var deliveredCount: Int64 = 0

  /// Creates the mix of `voices` on a timeline of `sampleCount` samples, of which `splices` are
  /// kept (all if `nil`).
  ///
  /// No file is opened yet. While a voice is decoded, the entry of `notes` with its index, if any,
  /// records it for crash attribution.
  package init(
    _ voices: [VoiceSource], sampleCount: Int64, splices: SampleSelection? = nil,
    notes: [VoiceCrashNote] = [], cancellation: Cancellation
  ) {
    let mix = VoiceDecodePool.MixVoices(
      voices, sampleCount: sampleCount, splices: splices, notes: notes)
    self.init(0, of: VoiceDecodePool([mix], cancellation: cancellation))
  }

  /// Creates the soundtrack for mix `number` of `pool`. Each mix of a pool is read by exactly
  /// one soundtrack.
  package init(_ number: Int, of pool: VoiceDecodePool) {
    let mix = pool.mixes[number]
    (sampleCount, cancellation) = (mix.splices?.sampleCount ?? mix.sampleCount, pool.cancellation)
    splicer = mix.splices.map { Splicer($0) }
    mixer = ParallelVoiceMixer(pool, number)
  }

  /// Creates the soundtrack from the finished pieces of `mix`, which has `sampleCount` samples, of
  /// which `splices` are kept (all if `nil`).
  package init(
    _ mix: PieceMixSource, sampleCount: Int64, splices: SampleSelection?, cancellation: Cancellation
  ) {
    (self.sampleCount, self.cancellation) = (splices?.sampleCount ?? sampleCount, cancellation)
    splicer = splices.map { Splicer($0) }
    mixer = mix
  }

  /// The reason why the mix ended early; `nil` if it did not.
  var failure: FFmpegError? { mixer.failure }

  /// The reports on the voices so far, in the order of the voices; empty if finished pieces are
  /// read.
  package var voiceReports: [VoiceReport] { mixer.reports }

  /// Ends this soundtrack, so that other mixes of its pool no longer wait for it. Later blocks
  /// are not delivered.
  package mutating func stop() {
    deliveredCount = sampleCount
    mixer.leave()
  }

  /// Replaces `block` by the next ``blockLength`` samples of each channel, interleaved; the last
  /// block may be shorter. Returns false after the end.
  ///
  /// An unreadable voice is silent and has its error in ``voiceReports``.
  ///
  /// - Throws: `CancellationError` if the cancellation was requested.
  package mutating func next(into block: inout [Float]) throws(CancellationError) -> Bool {
    guard deliveredCount < sampleCount else {
      stop()
      return false
    }
    block.removeAll(keepingCapacity: true)
    block.append(contentsOf: repeatElement(0, count: 2 * Self.blockLength))
    if deliveredCount == 0 { try pull(&block) }
    try pull(&block)
    let count = min(Int64(Self.blockLength), sampleCount - deliveredCount)
    block.removeLast(block.count - 2 * Int(count))
    deliveredCount += count
    return true
  }

  /// Mixes the next block and replaces it by the limiter's delayed output.
  private mutating func pull(_ block: inout [Float]) throws(CancellationError) {
    if splicer == nil {
      mixer.next(into: &block)
    } else {
      var isCancelled = false
      splicer?.next(into: &block) { mixed in
        var next = [Float](repeating: 0, count: 2 * Self.blockLength)
        isCancelled = isCancelled || cancellation.isCancelled
        if !isCancelled { mixer.next(into: &next) }
        mixed += next
      }
    }
    if cancellation.isCancelled { throw CancellationError() }
    limiter.process(&block)
  }
}

/// A source of a mix that is pulled block by block.
protocol MixSource: AnyObject {
  /// The reports on the voices so far, in the order of the voices.
  var reports: [VoiceReport] { get }
  /// The reason why the mix ended early; `nil` if it did not.
  var failure: FFmpegError? { get }
  /// Replaces `block`, interleaved stereo of ``Soundtrack/blockLength`` samples, by the next block.
  func next(into block: inout [Float])
  /// Releases all resources. No further block is requested.
  func leave()
}

extension MixSource {
  var failure: FFmpegError? { nil }
}
