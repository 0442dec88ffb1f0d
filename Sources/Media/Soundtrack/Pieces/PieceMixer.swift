import TesseraSystem

/// Mixes one piece of a mix (see ``SoundPieces``), before splices and the limiter.
///
///     var mixer = PieceMixer(0, of: supply, piece: 3, of: pieces)
///     while try mixer.next(into: &block) { … }
package struct PieceMixer {
  private let cancellation: Cancellation
  private let sheets: VoiceBlocks
  /// The number of samples per channel left in the piece.
  private var left: Int64
  /// The number of blocks that only let decoders and resamplers settle.
  private var skippedCount: Int
  /// The reports on the voices at the end of the first sheet, which the preceding piece counts.
  private var before: [VoiceReport] = []

  /// Creates the mixer of piece `piece` of mix `number` in `supply`. The supply has to begin at the
  /// first sheet of the piece.
  package init(_ number: Int, of supply: VoiceDecodePool, piece: Int, of pieces: SoundPieces) {
    sheets = VoiceBlocks(supply, number)
    cancellation = supply.cancellation
    left = Int64(pieces.samples(of: piece).count)
    skippedCount = piece == 0 ? 0 : VoiceDecodePool.blockCount - 1
  }

  /// The reports on the voices in this piece, without the samples that the preceding piece counts.
  package var voiceReports: [VoiceReport] {
    before.isEmpty ? sheets.reports : zip(sheets.reports, before).map { $0.since($1) }
  }

  /// Replaces `block` by the next ``Soundtrack/blockLength`` samples of each channel, interleaved;
  /// the last block may be shorter. Returns false after the end.
  package mutating func next(into block: inout [Float]) throws(CancellationError) -> Bool {
    guard left > 0 else {
      sheets.leave()
      return false
    }
    block.removeAll(keepingCapacity: true)
    block.append(contentsOf: repeatElement(0, count: 2 * Soundtrack.blockLength))
    while skippedCount > 0 {
      sheets.next(into: &block)
      skippedCount -= 1
      if skippedCount == 0 { before = sheets.reports }
    }
    sheets.next(into: &block)
    if cancellation.isCancelled { throw CancellationError() }
    let count = min(left, Int64(Soundtrack.blockLength))
    block.removeLast(block.count - 2 * Int(count))
    left -= count
    return true
  }
}
