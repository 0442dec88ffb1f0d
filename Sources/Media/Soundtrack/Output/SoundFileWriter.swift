package import TesseraCodecs
package import TesseraSystem

/// Writes an audio-only file: a mix, or one person's voice.
///
/// Samples arrive in order as interleaved stereo at ``Soundtrack/sampleRate``.
package struct SoundFileWriter: ~Copyable {
  private var encoder: PeakCeilingEncoder
  private let muxer: Muxer
  private let stream: Int

  /// Creates the file at `path`. `tags` is the file's metadata with libavformat's keys.
  package static func create(
    _ path: String, _ container: OutputContainer, _ settings: SoundEncoderSettings,
    tags: [String: String] = [:], cancellation: Cancellation
  ) throws(FFmpegError) -> SoundFileWriter {
    let encoder = try PeakCeilingEncoder.open(settings)
    var muxer = try Muxer.create(path, container: container, cancellation: cancellation)
    let stream = try muxer.addStream(encoder.encoder)
    try muxer.begin(tags: tags)
    return SoundFileWriter(encoder: encoder, muxer: muxer, stream: stream)
  }

  /// Encodes and writes the next interleaved samples.
  package mutating func write(_ samples: [Float]) throws(FFmpegError) {
    for packet in try encoder.encode(samples) { try muxer.write(packet, stream: stream) }
  }

  /// Writes the remaining packets and closes the file.
  package mutating func finish() throws(FFmpegError) {
    for packet in try encoder.finish() { try muxer.write(packet, stream: stream) }
    try muxer.finish()
  }
}
