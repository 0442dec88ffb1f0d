import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Mixing, limiting and encoding in parallel.
@Suite(.timed) struct SoundtrackEncoderTests {
  /// Returns voices that come and go, together loud enough for the ceiling.
  private static func voices(_ files: SoundFiles) throws -> [VoiceSource] {
    var random = SplitMix64(seed: 77)
    return try (0..<5).map { index in
      let speech = SyntheticSpeech(pitch: 90 + 13 * Double(index), using: &random)
        .samples(seconds: 3)
      let path = try files.makeWave("voice\(index).wav", speech.map { 1.6 * $0 })
      return try VoiceSource(path, at: MediaTime(nanoseconds: 700_000_000 * Int64(index)))
    }
  }

  /// Returns the file with the packets.
  private static func file(
    _ packets: [EncodedPacket], _ parameters: CodecParameters, _ path: String
  ) throws -> Data {
    var muxer = try Muxer.create(path, cancellation: Cancellation())
    let stream = try muxer.addStream(parameters)
    try muxer.begin(tags: [:])
    for packet in packets { try muxer.write(packet, stream: stream) }
    try muxer.finish()
    return try Data(contentsOf: URL(filePath: path))
  }

  @Test(arguments: [SoundEncoderSettings.Codec.aac, .opus, .flac])
  func packetsEqualThoseOfSequentialSteps(codec: SoundEncoderSettings.Codec) throws {
    let files = try SoundFiles()
    let voices = try Self.voices(files)
    let settings = SoundEncoderSettings(codec: codec, bitRate: 64_000)
    func soundtrack() -> Soundtrack {
      Soundtrack(voices, sampleCount: 6 * 48_000 + 17, cancellation: Cancellation())
    }
    var plain = soundtrack()
    var encoder = try PeakCeilingEncoder.open(settings)
    var expected: [EncodedPacket] = []
    var block: [Float] = []
    while try plain.next(into: &block) { expected += try encoder.encode(block) }
    expected += try encoder.finish()

    let together = try SoundtrackEncoder(soundtrack(), settings)
    var packets: [EncodedPacket] = []
    while let more = try together.next() { packets += more }
    #expect(packets.count > 50)
    let parameters = try together.parameters()
    #expect(
      try Self.file(packets, parameters, files.path("a.mp4"))
        == Self.file(expected, parameters, files.path("b.mp4")))
    #expect(together.sampleCount == 6 * 48_000 + 17)
    let reports = together.voiceReports
    #expect(reports.map(\.mixedSamples) == plain.voiceReports.map(\.mixedSamples))
    #expect(reports.allSatisfy { $0.mixedSamples >= 3 * 48_000 - 4800 })
  }

  @Test func cancellationStopsWithoutAFlush() throws {
    let cancellation = Cancellation()
    let endless = Soundtrack([], sampleCount: 1 << 40, cancellation: cancellation)
    let encoder = try SoundtrackEncoder(endless, SoundEncoderSettings())
    #expect(try encoder.next() != nil)
    cancellation.cancel()
    while try encoder.next() != nil {}
    #expect(encoder.sampleCount < 1 << 30)
  }

  @Test func anAbandonedEncoderStops() throws {
    let endless = Soundtrack([], sampleCount: 1 << 40, cancellation: Cancellation())
    let encoder = try SoundtrackEncoder(endless, SoundEncoderSettings(codec: .flac))
    #expect(try encoder.next() != nil)
    #expect(encoder.voiceReports.isEmpty)
  }
}
