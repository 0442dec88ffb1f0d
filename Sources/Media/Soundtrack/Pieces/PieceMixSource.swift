import TesseraCodecs

/// A mix that is read from its finished pieces, block by block.
package final class PieceMixSource: MixSource {
  private let pieces: SoundPieceDivision
  /// The files of the pieces that are not yet opened, in order.
  private var files: ArraySlice<SoundPieceFile.Reader>
  private var reader: SoundPieceFile.Reader?
  /// The interleaved samples read from the open piece; those before `taken` were delivered.
  private var samples: [Float] = []
  private var taken = 0
  /// The number of samples per channel of the open piece before its joint with the next one.
  private var left: Int64 = 0
  /// The reason why reading ended early; `nil` if it did not.
  private(set) var failure: FFmpegError?
  let reports: [VoiceReport] = []

  /// Creates the mix from `files`, one file for each of `pieces`.
  package init(_ pieces: SoundPieceDivision, _ files: [SoundPieceFile.Reader]) {
    (self.pieces, self.files) = (pieces, files[...])
  }

  func leave() { (reader, files) = (nil, []) }

  /// Replaces `block` by the next block of the mix, or by silence after the end or a failure.
  func next(into block: inout [Float]) {
    for index in block.indices { block[index] = 0 }
    guard failure == nil else { return }
    do throws(FFmpegError) {
      if left == 0, !files.isEmpty { try join(&block) } else { try take(&block) }
    } catch {
      failure = error
      leave()
    }
  }

  /// Opens the next piece and crossfades from the last block of the preceding piece to its first
  /// block.
  private func join(_ block: inout [Float]) throws(FFmpegError) {
    let isFirst = reader == nil
    if !isFirst { try take(&block) }
    let last = block
    let number = pieces.count - files.count
    reader = files.removeFirst()
    (samples, taken) = ([], 0)
    left =
      Int64(pieces.samples(of: number).count)
      - (files.isEmpty ? 0 : Int64(SoundPieceDivision.jointLength))
    try take(&block)
    guard !isFirst else { return }
    for index in block.indices {
      let part = (Float(index / 2) + 0.5) / Float(block.count / 2)
      block[index] = last[index] + (block[index] - last[index]) * part
    }
  }

  /// Copies the next samples of the open piece into `block`, as far as there are any.
  private func take(_ block: inout [Float]) throws(FFmpegError) {
    if taken > 0 { samples.removeFirst(taken) }
    while samples.count < block.count, try reader?.read(into: &samples) == true {}
    taken = min(block.count, samples.count)
    for index in 0..<taken { block[index] = samples[index] }
    left = max(0, left - Int64(taken / 2))
  }
}
