import Foundation
import TesseraMessages
import TesseraProof
import TestSupport
import Testing

@testable import TesseraVerify

@Suite("Sound compared with the mix", .timed) struct SoundCheckTests {
  /// Syllables of noise for 6 s, interleaved stereo.
  private static let speech: [Float] = {
    var random = Random(7)
    var samples: [Float] = []
    for frame in 0..<(6 * 48_000) {
      let syllable = sin(Double(frame) / 48_000 * 2 * .pi * 3.1) * sin(Double(frame) / 48_000 * 1.7)
      let noise = Float(random.next(2001) - 1000) / 1000
      let value = noise * Float(max(0, syllable)) * 0.3
      samples += [value, value]
    }
    return samples
  }()

  private static let proof: OutputProof.Sound = {
    var envelope = SoundEnvelopeMeter()
    envelope.append(speech.span)
    return OutputProof.Sound(
      sampleCount: 6 * 48_000, levels: envelope.levels, ceiling: -1,
      turns: [
        OutputProof.Turn("Ada", start: 0, end: 3000),
        OutputProof.Turn("Ben", start: 3000, end: 6000),
      ])
  }()

  private func findings(_ change: (inout [Float]) -> Void) -> [VerificationReport.Finding] {
    var samples = Self.speech
    change(&samples)
    var check = SoundCheck(Self.proof)
    var verdict = VerificationReport(output: "call.mp4", isProven: true)
    for start in stride(from: 0, to: samples.count, by: 2 * 1024) {
      let block = Array(samples[start..<min(samples.count, start + 2 * 1024)])
      check.hear(block.span, &verdict)
    }
    check.finish(&verdict)
    return verdict.checks.flatMap(\.findings)
  }

  @Test(
    "The level of downmixed sound is that of the mean, without inaudible parts")
  func envelope() {
    let samples = (0..<48_000).flatMap { index -> [Float] in
      let value = Float(sin(Double(index) / 48_000 * 2 * .pi * 440) / 2)
      return [value, -value]
    }
    func level(_ samples: [Float], isMono: Bool) -> Double {
      var envelope = SoundEnvelopeMeter(isMono: isMono)
      envelope.append(samples.span)
      return SoundEnvelopeMeter.decibels(envelope.levels[3 * 50 + 1])
    }
    #expect(level(samples, isMono: false) > -20)
    #expect(level(samples, isMono: true) == SoundEnvelopeMeter.floor)
    // A constant signal is inaudible.
    var envelope = SoundEnvelopeMeter()
    envelope.append([Float](repeating: 0.5, count: 96_000).span)
    #expect(envelope.levels.suffix(3).allSatisfy { SoundEnvelopeMeter.decibels($0) < -100 })
  }

  @Test("The mix passes, also slightly later and slightly louder")
  func right() {
    #expect(findings { _ in } == [])
    #expect(findings { $0.insert(contentsOf: repeatElement(0, count: 2 * 96), at: 0) } == [])
    #expect(findings { for index in $0.indices { $0[index] *= 1.05 } } == [])
  }

  @Test("Sound that is 20 ms late, or early from a second on, is reported")
  func place() throws {
    let late = findings { $0.insert(contentsOf: repeatElement(0, count: 2 * 960), at: 0) }
    #expect(late.map(\.text) == ["sound is 20 ms too late"])
    #expect(late.first?.start == 0)
    let early = findings { $0.removeSubrange(2 * 96_000..<2 * 96_960) }
    #expect(early.map(\.text) == ["sound is 20 ms too early"])
    #expect((2...3).contains(try #require(early.first?.start)))
  }

  @Test("A missing voice with its name, and too loud sound, are reported")
  func level() throws {
    let missing = findings { samples in
      for index in 2 * 3 * 48_000..<2 * 5 * 48_000 { samples[index] = 0 }
    }
    let first = try #require(missing.first { $0.text == "sound is missing" })
    #expect(first.person == "Ben")
    #expect((2.9...3.6).contains(try #require(first.start)))
    let loud = findings { for index in 2 * 96_000..<$0.count { $0[index] *= 1.41 } }
    #expect(loud.map(\.text) == ["sound is 3.0 dB too loud"])
    #expect(loud.first?.start == 2)
  }
}
