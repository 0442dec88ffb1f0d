import CTesseraOpus
import TesseraCodecs
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct LostPacketsTests {
  /// Returns 3 s of a simulated voice as browsers send it, with or without a copy of each packet in
  /// the next one (FEC).
  private static func stream(_ files: SoundFiles, repeats: Bool) throws -> OpusStream {
    let voice = "aevalsrc=0.4*sin(2*PI*(140*t+20*sin(3*t)))*(0.6+0.4*sin(9*t))"
    let noise = "+0.1*sin(2*PI*1900*t)*random(0):sample_rate=48000:duration=3"
    let path = try files.make(
      "whole\(repeats).ogg",
      [
        "-f", "lavfi", "-i", voice + noise, "-c:a", "libopus", "-application", "voip", "-b:a",
        "24k",
      ]
        + ["-fec", repeats ? "1" : "0", "-packet_loss", repeats ? "20" : "0"])
    return try OpusStream(path)
  }

  /// Returns libopus's output for the packets, with each loss reported.
  private static func reference(_ stream: OpusStream, without lost: Set<Int>) throws -> [Float] {
    let decoder = unsafe try #require(unsafe opus_decoder_create(48_000, 1, nil))
    defer { unsafe opus_decoder_destroy(decoder) }
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: OpusStream.length)
    func decode(_ packet: [UInt8]?, repeated: Bool = false) {
      let count = unsafe opus_decode_float(
        decoder, packet, opus_int32(packet?.count ?? 0), &block, CInt(block.count), repeated ? 1 : 0
      )
      samples += block[..<Int(max(0, count))]
    }
    for index in stream.packets.indices where !lost.contains(index) {
      let missing = index - samples.count / OpusStream.length
      for _ in 0..<max(0, missing - 1) { decode(nil) }
      if missing > 0 { decode(stream.packets[index], repeated: true) }
      decode(stream.packets[index])
    }
    return samples
  }

  private static func repeats(_ packet: [UInt8]) -> Bool {
    unsafe copus_repeats(packet, CInt(packet.count)) != 0
  }

  private static func preSkip(_ stream: OpusStream) -> Int {
    Int(stream.headers[0][10]) | Int(stream.headers[0][11]) << 8
  }

  /// Returns the left channel of the mix of the remaining packets.
  private static func mixed(
    _ stream: OpusStream, without lost: Set<Int>, _ files: SoundFiles
  ) throws -> (samples: [Float], report: VoiceReport) {
    try stream.write(files.path("lossy.ogg"), without: lost)
    let (samples, reports) = try Soundtrack.render(
      [VoiceSource(files.path("lossy.ogg"))], seconds: 3)
    return (stride(from: 0, to: samples.count, by: 2).map { samples[$0] }, reports[0])
  }

  @Test(arguments: [true, false])
  func gapsAreConcealedByTheCodec(repeats: Bool) throws {
    let files = try SoundFiles()
    let stream = try Self.stream(files, repeats: repeats)
    let lost: Set = [20, 33, 45, 46, 70, 71, 72, 74, 100, 101, 102, 103, 104]
    let (mix, report) = try Self.mixed(stream, without: lost, files)
    let expected = try Self.reference(stream, without: lost).dropFirst(Self.preSkip(stream))
    // The mix ends with a fade.
    let worst = zip(mix, expected).prefix(140_000).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(worst < 1e-5)
    #expect(expected.contains { abs($0) > 0.2 })
    let madeUp = report.concealedSamples + report.recoveredSamples
    #expect(madeUp == lost.count * OpusStream.length)
    // A gap of any length is followed by one packet that may contain a copy.
    let copies = [21, 34, 47, 73, 75, 105].count { Self.repeats(stream.packets[$0]) }
    #expect((copies > 0) == repeats)
    #expect(report.recoveredSamples == copies * OpusStream.length)
    #expect((report.silentSamples, report.droppedSamples) == (0, 0))
    #expect(!report.hasLosses)
  }

  @Test(arguments: [true, false])
  func longGapsFadeToSilence(repeats: Bool) throws {
    let files = try SoundFiles()
    let stream = try Self.stream(files, repeats: repeats)
    let end = try #require(
      (90..<130).first { Self.repeats(stream.packets[$0]) || !repeats })
    let (mix, report) = try Self.mixed(stream, without: Set(50..<end), files)
    let start = 50 * OpusStream.length - Self.preSkip(stream)
    let stop = start + (end - 50) * OpusStream.length
    #expect(mix[start..<start + 2400].contains { abs($0) > 0.05 })
    #expect(mix[start + 5760..<stop - 960].allSatisfy { $0 == 0 })
    #expect(mix[stop - 960..<stop].contains { $0 != 0 } == repeats)
    #expect(report.concealedSamples == 5760)
    #expect(report.recoveredSamples == (repeats ? 960 : 0))
    let expected = try Self.reference(stream, without: Set(50..<end)).dropFirst(
      Self.preSkip(stream))
    let after = zip(mix, expected).prefix(140_000).dropFirst(stop + 9600)
    #expect(after.reduce(Float(0)) { max($0, abs($1.0 - $1.1)) } < 0.01)
  }

  @Test func dtxPausesAreNotConcealed() throws {
    let files = try SoundFiles()
    var stream = try Self.stream(files, repeats: true)
    stream.packets[49] = [stream.packets[49][0]]
    let (mix, report) = try Self.mixed(stream, without: Set(50..<70), files)
    let start = 50 * OpusStream.length - Self.preSkip(stream)
    #expect(mix[start..<start + 20 * OpusStream.length].allSatisfy { $0 == 0 })
    #expect((report.concealedSamples, report.recoveredSamples) == (0, 0))
    #expect(report.silentSamples == 20 * OpusStream.length)
  }

  @Test func gapsOfAnyLengthAreFilledWithoutAClick() throws {
    let files = try SoundFiles()
    let stream = try Self.stream(files, repeats: false)
    // Written with times in whole milliseconds and a drifting clock.
    try stream.write(files.path("lossy.ogg"), without: [40, 41, 42, 90])
    let path = files.path("slow.mka")
    try Tool.ffmpeg(
      ["-itsscale", "1.0006", "-i", files.path("lossy.ogg"), "-c", "copy", path])
    var source = try VoiceSource(path)
    source.rate = Ratio(10_003, 10_000)
    let (samples, reports) = try Soundtrack.render([source], seconds: 3)
    #expect(reports[0].concealedSamples >= 4 * OpusStream.length)
    #expect(reports[0].droppedSamples == 0)
    let mix = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    // There is no silence of 3 ms.
    for start in stride(from: 4800, to: 2 * 48_000, by: 144) {
      #expect(mix[start..<start + 144].contains { abs($0) > 0.001 })
    }
  }

  @Test func outputGainIsApplied() throws {
    let files = try SoundFiles()
    var stream = try Self.stream(files, repeats: false)
    let (loud, _) = try Self.mixed(stream, without: [], files)
    // -6 dB, in 1/256 dB.
    (stream.headers[0][16], stream.headers[0][17]) = (0x00, 0xfa)
    let (quiet, _) = try Self.mixed(stream, without: [], files)
    let worst = zip(loud, quiet).reduce(Float(0)) { max($0, abs($1.0 * 0.501187 - $1.1)) }
    #expect(worst < 1e-4 && loud.contains { abs($0) > 0.2 })
  }
}
