package import TesseraCodecs

/// A finished piece of a mix in a ``PacketFile``: FLAC of 24 bits, of which the upper four are room for sums above
/// full scale. What is rounded lies 114 dB below full scale.
package enum SoundPieceFile {
  /// The factor of the samples in the file.
  fileprivate static let scale: Float = 1 / 16

  /// Bits a second, about: what noise takes, and twice what speech does.
  package static let expectedBitRate = 800_000

  /// Writes a piece.
  package struct Writer: ~Copyable {
    private var encoder: AudioEncoder
    private var file: PacketFileWriter

    /// Begins the file of `samples` that will be at `path`, made from `digest`.
    package static func create(
      _ path: String, digest: String, samples: Range<Int64>
    ) throws(FFmpegError) -> Writer {
      let encoder = try AudioEncoder.open(SoundEncoderSettings(codec: .flac))
      let head = PacketFile.Head(
        digest: digest, segment: nil, range: samples, parameters: try encoder.parameters())
      return Writer(encoder: encoder, file: try PacketFileWriter.create(path, head: head))
    }

    private init(encoder: consuming AudioEncoder, file: consuming PacketFileWriter) {
      self.encoder = encoder
      self.file = file
    }

    /// Adds interleaved samples, which are changed.
    package mutating func write(_ samples: inout [Float]) throws(FFmpegError) {
      for index in samples.indices { samples[index] *= scale }
      for packet in try encoder.encode(samples.span) { try file.append(packet) }
    }

    /// Ends the file with `note` and gives it its name.
    package mutating func finish(note: String) throws(FFmpegError) {
      for packet in try encoder.finish() { try file.append(packet) }
      try file.finish(note: note)
    }
  }

  /// Reads a piece.
  package final class Reader {
    /// The note at the end of the file.
    package let note: String
    private var file: PacketFileReader
    private var decoder: EncodedSoundDecoder?
    private var isDrained = false

    /// Opens the file at `path` and checks all of it.
    ///
    /// - Throws: ``PacketFile/Refusal`` where it is not whole, or not made from `digest`.
    package init(_ path: String, digest: String) throws(PacketFile.Refusal) {
      file = try PacketFileReader(path, digest: digest)
      note = file.tail.note
    }

    /// Appends the samples of the next packet to `samples`; false after the last one.
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
