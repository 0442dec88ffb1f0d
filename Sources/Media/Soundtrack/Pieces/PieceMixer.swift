import TesseraSystem

/// Mixes one piece of a mix (see ``SoundPieceDivision``), before splices and the limiter.
///
///     var mixer = PieceMixer(0, of: pool, piece: 3, of: pieces)
///     while try mixer.next(into: &block) { … }
package struct PieceMixer {
  private let cancellation: Cancellation
  private let voiceMixer: ParallelVoiceMixer
  /// The number of samples per channel left in the piece.
  private var left: Int64
  /// The number of blocks that only let decoders and resamplers settle.
  private var skippedCount: Int
  /// The reports on the voices at the end of the first sheet, which the preceding piece counts.
  private var before: [VoiceReport] = []

  /// Creates the mixer of piece `piece` of mix `number` in `pool`. The pool has to begin at the
  /// first sheet of the piece.
  package init(_ number: Int, of pool: VoiceDecodePool, piece: Int, of pieces: SoundPieceDivision) {
    voiceMixer = ParallelVoiceMixer(pool, number)
    cancellation = pool.cancellation
    left = Int64(pieces.samples(of: piece).count)
    skippedCount = piece == 0 ? 0 : VoiceDecodePool.blockCount - 1
  }

  /// The reports on the voices in this piece, without the samples that the preceding piece counts.
  package var voiceReports: [VoiceReport] {
    before.isEmpty ? voiceMixer.reports : zip(voiceMixer.reports, before).map { $0.since($1) }
  }

  /// Replaces `block` by the next ``Soundtrack/blockLength`` samples of each channel, interleaved;
  /// the last block may be shorter. Returns false after the end.
  package mutating func next(into block: inout [Float]) throws(CancellationError) -> Bool {
    guard left > 0 else {
      voiceMixer.leave()
      return false
    }
    block.removeAll(keepingCapacity: true)
    block.append(contentsOf: repeatElement(0, count: 2 * Soundtrack.blockLength))
    while skippedCount > 0 {
      voiceMixer.next(into: &block)
      skippedCount -= 1
      if skippedCount == 0 { before = voiceMixer.reports }
    }
    voiceMixer.next(into: &block)
    if cancellation.isCancelled { throw CancellationError() }
    let count = min(left, Int64(Soundtrack.blockLength))
    block.removeLast(block.count - 2 * Int(count))
    left -= count
    return true
  }
}
