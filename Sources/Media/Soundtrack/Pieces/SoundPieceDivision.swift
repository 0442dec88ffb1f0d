/// The division of a long mix into pieces that are rendered independently, on any machine.
///
/// A piece is a series of sheets of ``VoiceDecodePool``. Decoding starts one sheet earlier (about a
/// second) to let decoders and resamplers settle. The last block of that sheet is also the last
/// block of the preceding piece, and the two are crossfaded. Decoders are reopened for each piece,
/// so the result does not depend on the worker that renders the preceding piece.
package struct SoundPieceDivision: Hashable, Sendable, Codable {
  /// The number of samples per channel in the whole mix.
  package let sampleCount: Int64
  /// The number of pieces: 1 if the mix is rendered as a whole, otherwise at least 6.
  package let count: Int

  /// The default for the least number of sheets in a piece: a minute.
  package static let shortest = 60
  /// The number of samples per channel that two neighboring pieces share: a block.
  static let jointLength = Soundtrack.blockLength

  /// Divides a mix of `sampleCount` samples into pieces of at least `shortest` sheets.
  ///
  /// A mix shorter than six such pieces is rendered as a whole: dividing it would save less than
  /// starting the workers costs.
  package init(sampleCount: Int64, shortest: Int = Self.shortest) {
    self.sampleCount = sampleCount
    let fitting = Self.sheets(sampleCount) / shortest
    count = fitting < 6 ? 1 : fitting
  }

  private static func sheets(_ sampleCount: Int64) -> Int {
    let length = Int64(VoiceDecodePool.sheetLength)
    return Int((max(0, sampleCount) + length - 1) / length)
  }

  /// Returns the first sheet that belongs to `piece` alone.
  private func begin(of piece: Int) -> Int { piece * Self.sheets(sampleCount) / count }

  /// Returns the first sheet that is decoded for `piece`: one before its own, to settle decoders.
  package func firstSheet(of piece: Int) -> Int { max(0, begin(of: piece) - 1) }

  /// Returns the samples of the mix in `piece`, including the block shared with the preceding
  /// piece.
  package func samples(of piece: Int) -> Range<Int64> {
    let length = Int64(VoiceDecodePool.sheetLength)
    let first = Int64(begin(of: piece)) * length - Int64(Self.jointLength)
    return max(0, first)..<min(sampleCount, Int64(begin(of: piece + 1)) * length)
  }

  /// Returns the samples of the mix for which the voices of `piece` are decoded.
  package func decoded(of piece: Int) -> Range<Int64> {
    Int64(firstSheet(of: piece) * VoiceDecodePool.sheetLength)..<samples(of: piece).upperBound
  }
}
