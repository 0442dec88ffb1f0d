import TesseraCodecs

/// A mix out of its finished pieces, block by block.
package final class PiecedMix: MixedBlocks {
  private let pieces: SoundPieces
  /// The files of the pieces, in order, until they are read.
  private var files: ArraySlice<SoundPieceFile.Reader>
  private var reader: SoundPieceFile.Reader?
  /// Interleaved samples that were read; those before `taken` were put out.
  private var samples: [Float] = []
  private var taken = 0
  /// The samples, per channel, that the open piece still has for itself.
  private var left: Int64 = 0
  /// Why it ended early.
  private(set) var failure: FFmpegError?
  let reports: [VoiceReport] = []

  /// The mix in `files`, one for each of `pieces`.
  package init(_ pieces: SoundPieces, _ files: [SoundPieceFile.Reader]) {
    (self.pieces, self.files) = (pieces, files[...])
  }

  func leave() { (reader, files) = (nil, []) }

  /// Replaces `block` by the next block of the mix: silence past the end and after a failure.
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

  /// Opens the next piece and takes its first block, to which the last one of the piece before fades over.
  private func join(_ block: inout [Float]) throws(FFmpegError) {
    let isFirst = reader == nil
    if !isFirst { try take(&block) }
    let last = block
    let number = pieces.count - files.count
    reader = files.removeFirst()
    (samples, taken) = ([], 0)
    left =
      Int64(pieces.samples(of: number).count) - (files.isEmpty ? 0 : Int64(SoundPieces.jointLength))
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
