import TesseraCompositor
import TesseraMedia
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Encodes canvases and sound and writes both into one file, on one thread at a time.
final class OutputWriter: @unchecked Sendable {
  // Sendable because whoever hands it to another thread does not touch it before that one ended.
  private let encoder: VideoEncoder
  private let sound: SoundtrackEncoder
  private var muxer: Muxer
  private let videoStream: Int
  private let audioStream: Int

  /// A writer of the file `path`, which is created.
  static func open(
    _ plan: Plan, path: String, cancellation: Cancellation
  ) throws(FFmpegError) -> OutputWriter {
    let encoder = try VideoEncoder.open(plan.output.video)
    let audioEncoder = try AudioEncoder.open(bitRate: plan.output.audioBitRate)
    var muxer = try Muxer.create(path, cancellation: cancellation)
    let videoStream = try muxer.addStream(encoder)
    let audioStream = try muxer.addStream(audioEncoder)
    var tags = ["encoding_tool": "Tessera \(TesseraVersion.current)"]
    tags["title"] = plan.output.title
    try muxer.begin(tags: tags)
    let sound = SoundtrackEncoder(
      plan.placedVoices, sampleCount: plan.sampleCount, encoder: audioEncoder,
      cancellation: cancellation)
    return OutputWriter(
      encoder: encoder, sound: sound, muxer: muxer, videoStream: videoStream,
      audioStream: audioStream)
  }

  private init(
    encoder: consuming VideoEncoder, sound: SoundtrackEncoder, muxer: consuming Muxer,
    videoStream: Int, audioStream: Int
  ) {
    self.encoder = encoder
    self.sound = sound
    self.muxer = muxer
    self.videoStream = videoStream
    self.audioStream = audioStream
  }

  /// What each voice came to; after ``finish()``.
  var voiceReports: [VoiceReport] { sound.reports }

  /// Encodes the canvas as frame `number` of the file and writes what is ready.
  func write(_ canvas: borrowing Canvas, number: Int) throws(FFmpegError) {
    let packets = try canvas.withPlanes { luma, blue, red throws(FFmpegError) in
      try encoder.encode(luma: luma, blue: blue, red: red, number: number)
    }
    try write(packets)
  }

  private func write(_ packets: [EncodedPacket]) throws(FFmpegError) {
    for packet in packets {
      let time = packet.decodingSeconds
      try muxer.write(packet, stream: videoStream)
      for packet in try sound.packets(until: time) {
        try muxer.write(packet, stream: audioStream)
      }
    }
  }

  /// Writes all that is left and closes the file.
  func finish() throws(FFmpegError) {
    try write(try encoder.finish())
    for packet in try sound.packets(until: nil) { try muxer.write(packet, stream: audioStream) }
    try muxer.finish()
  }

  /// Ends the sound's thread.
  func stop() { sound.stop() }
}

extension Plan {
  /// The number of samples of the rendered part's sound.
  fileprivate var sampleCount: Int64 {
    output.video.frameRate.sample(ofFrame: frames.count, sampleRate: Soundtrack.sampleRate)
  }

  /// The voices at their places in the rendered part.
  fileprivate var placedVoices: [VoiceSource] {
    let start = output.video.frameRate.time(ofFrame: frames.lowerBound)
    return voices.map { voice in
      var source = voice.source
      source.start = source.start - start
      source.interval = TimeInterval(
        start: max(.zero, source.interval.start - start), end: source.interval.end - start)
      return source
    }
  }
}
