package import TesseraCodecs

/// The file of a finished piece of a mix: FLAC of 24 bits in a ``PacketFile``.
///
/// The upper four bits are headroom for sums above full scale. The rounding noise is 114 dB below
/// full scale.
package enum SoundPieceFile {
  /// The scale factor of samples in the file.
  fileprivate static let scale: Float = 1 / 16

  /// The expected bit rate in bits per second, for disk estimates: that of noise, twice that of
  /// speech.
  package static let expectedBitRate = 800_000

  /// Writes a piece to a file.
  package struct Writer: ~Copyable {
    private var encoder: AudioEncoder
    private var file: PacketFileWriter

    /// Starts a file for `samples` of the mix, which ``finish(note:)`` moves to `path`. `digest`
    /// identifies the piece's recipe.
    package static func create(
      _ path: String, digest: String, samples: Range<Int64>
    ) throws(FFmpegError) -> Writer {
      let encoder = try AudioEncoder.open(SoundEncoderSettings(codec: .flac))
      let head = PacketFile.Header(
        digest: digest, segment: nil, range: samples, parameters: try encoder.parameters())
      return Writer(encoder: encoder, file: try PacketFileWriter.create(path, head: head))
    }

    /// Appends interleaved samples. `samples` is scaled in place.
    package mutating func write(_ samples: inout [Float]) throws(FFmpegError) {
      for index in samples.indices { samples[index] *= scale }
      for packet in try encoder.encode(samples.span) { try file.append(packet) }
    }

    /// Ends the file with `note` and moves it to its final name.
    package mutating func finish(note: String) throws(FFmpegError) {
      for packet in try encoder.finish() { try file.append(packet) }
      try file.finish(note: note)
    }
  }

  /// Reads a piece from a file.
  package final class Reader {
    /// The note at the end of the file.
    package let note: String
    private var file: PacketFileReader
    private var decoder: EncodedSoundDecoder?
    private var isDrained = false

    /// Opens the file at `path` and verifies all of it.
    ///
    /// - Throws: ``PacketFile/OpenError`` if the file is incomplete or its digest is not `digest`.
    package init(_ path: String, digest: String) throws(PacketFile.OpenError) {
      file = try PacketFileReader(path, digest: digest)
      note = file.tail.note
    }

    /// Appends the samples of the next packet to `samples`; returns false after the last packet.
    func read(into samples: inout [Float]) throws(FFmpegError) -> Bool {
      guard !isDrained else { return false }
      if decoder == nil { decoder = try EncodedSoundDecoder.open(file.head.parameters) }
      let packet = try file.next()
      isDrained = packet == nil
      try decoder?.decode(packet) { _, block in
        for sample in block { samples.append(sample / scale) }
      }
      return true
    }
  }
}
