import TesseraCodecs
package import TesseraSystem

/// The sound of a whole timeline: all voices at their places, summed and limited.
///
/// Interleaved stereo in 32-bit floating point at 48 kHz, pulled block by block:
///
///     var soundtrack = Soundtrack(voices, sampleCount: n, cancellation: token)
///     var block: [Float] = []
///     while try soundtrack.next(into: &block) { … }
///     report(soundtrack.voiceReports)
package struct Soundtrack {
  /// Samples a second of everything after the decoders.
  package static let sampleRate = 48_000
  /// Samples, per channel, in a block: an AAC packet's.
  package static let blockLength = AudioEncoder.blockLength

  private let sampleCount: Int64
  private let cancellation: Cancellation
  private let mixer: any MixedBlocks
  private var splicer: Splicer?
  private var limiter = Limiter()
  private var deliveredCount: Int64 = 0

  /// The sound of a timeline of `sampleCount` samples, of which `splices` are kept. Nothing is opened yet. What is decoded for
  /// each of `voices` is noted in the one of `notes` at its place, where there is one.
  package init(
    _ voices: [VoiceSource], sampleCount: Int64, splices: SoundCut? = nil,
    notes: [VoiceNote] = [], cancellation: Cancellation
  ) {
    let mix = VoiceSupply.Mix(voices, sampleCount: sampleCount, splices: splices, notes: notes)
    self.init(0, of: VoiceSupply([mix], cancellation: cancellation))
  }

  /// The mix with that number of `supply`, each of which is made by one soundtrack.
  package init(_ number: Int, of supply: VoiceSupply) {
    let mix = supply.mixes[number]
    (sampleCount, cancellation) = (mix.splices?.sampleCount ?? mix.sampleCount, supply.cancellation)
    splicer = mix.splices.map { Splicer($0) }
    mixer = VoiceSheets(supply, number)
  }

  /// The sound of `mix`, which has `sampleCount` samples, of which `splices` are kept.
  package init(
    _ mix: PiecedMix, sampleCount: Int64, splices: SoundCut?, cancellation: Cancellation
  ) {
    (self.sampleCount, self.cancellation) = (splices?.sampleCount ?? sampleCount, cancellation)
    splicer = splices.map { Splicer($0) }
    mixer = mix
  }

  /// Why the mix ended early; nil while it goes on.
  var failure: FFmpegError? { mixer.failure }

  /// What each voice contributed so far, in the order in which they were given; nothing where pieces are read.
  package var voiceReports: [VoiceReport] { mixer.reports }

  /// Lets other mixes of its supply go on without it. There is nothing more to hear then.
  package mutating func stop() {
    deliveredCount = sampleCount
    mixer.leave()
  }

  /// By how many decibels the sum of the voices was turned down at most; 0 where it never was.
  package var largestReduction: Float { limiter.largestReduction }

  /// Replaces `block` by the next ``blockLength`` samples of each channel, interleaved; fewer at
  /// the end. False past the end.
  ///
  /// - Throws: `CancellationError` once the cancellation was asked for; a voice that cannot be
  ///   read is silent and says so in ``voiceReports``.
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

  /// Mixes the next block and replaces it by the one that the limiter has ready.
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

/// A mix that is pulled block by block.
protocol MixedBlocks: AnyObject {
  /// What each voice contributed so far.
  var reports: [VoiceReport] { get }
  /// Why it ended early; nil while it goes on.
  var failure: FFmpegError? { get }
  /// Replaces `block`, interleaved stereo of ``Soundtrack/blockLength``, by the next block.
  func next(into block: inout [Float])
  /// Lets go of what makes it.
  func leave()
}

extension MixedBlocks {
  var failure: FFmpegError? { nil }
}
