/// The pieces in which a long mix is made, each by itself and on any machine.
///
/// A piece is a row of sheets of ``VoiceSupply``. Its voices are opened one sheet earlier, about a second, in which
/// decoders and resamplers settle; the last block of that sheet is also the last one of the piece before, and the
/// two are cross-faded. Who makes the piece before changes nothing: decoders are opened anew for each.
package struct SoundPieces: Hashable, Sendable, Codable {
  /// The samples, per channel, of the whole mix.
  package let sampleCount: Int64
  /// The number of pieces: 1, where the mix is made as a whole, or at least 6.
  package let count: Int

  /// Sheets that a piece has at least: a minute.
  package static let shortest = 60
  /// Samples, per channel, that two neighbors have in common: a block.
  static let jointLength = Soundtrack.blockLength

  /// The pieces of a mix of `sampleCount` samples, each of which has at least `shortest` sheets. A mix shorter than
  /// six of them is made as a whole: dividing it would save less than starting the workers costs.
  package init(sampleCount: Int64, shortest: Int = Self.shortest) {
    self.sampleCount = sampleCount
    let fitting = Self.sheets(sampleCount) / shortest
    count = fitting < 6 ? 1 : fitting
  }

  private static func sheets(_ sampleCount: Int64) -> Int {
    let length = Int64(VoiceSupply.sheetLength)
    return Int((max(0, sampleCount) + length - 1) / length)
  }

  /// The first sheet that is not of a piece before.
  private func begin(of piece: Int) -> Int { piece * Self.sheets(sampleCount) / count }

  /// The first sheet that is decoded for a piece.
  package func firstSheet(of piece: Int) -> Int { max(0, begin(of: piece) - 1) }

  /// The samples that a piece has, with what it has in common with its neighbors.
  package func samples(of piece: Int) -> Range<Int64> {
    let length = Int64(VoiceSupply.sheetLength)
    let first = Int64(begin(of: piece)) * length - Int64(Self.jointLength)
    return max(0, first)..<min(sampleCount, Int64(begin(of: piece + 1)) * length)
  }

  /// The samples in which the voices of a piece are decoded.
  package func decoded(of piece: Int) -> Range<Int64> {
    Int64(firstSheet(of: piece) * VoiceSupply.sheetLength)..<samples(of: piece).upperBound
  }
}
