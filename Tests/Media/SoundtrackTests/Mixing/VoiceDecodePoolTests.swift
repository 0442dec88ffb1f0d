import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Several mixes of one timeline, rendered at the same time.
@Suite(.timed) struct VoiceDecodePoolTests {
  private static let sampleCount = Int64(6 * 48_000 + 17)

  private func voices(_ files: SoundFiles) throws -> (ada: VoiceSource, ben: VoiceSource) {
    func tone(_ name: String, _ hertz: Int, _ options: [String]) throws -> String {
      try files.make(
        name, ["-f", "lavfi", "-i", "sine=\(hertz):sample_rate=44100:duration=5"] + options)
    }
    return (
      try VoiceSource(tone("ada.opus", 300, ["-c:a", "libopus"])),
      try VoiceSource(tone("ben.mp4", 700, ["-c:a", "aac"]), at: MediaTime(seconds: 2))
    )
  }

  /// Renders all of `mixes` concurrently; those in `abandoned` stop after the first block.
  private func together(
    _ mixes: [[VoiceSource]], abandoned: Set<Int> = []
  ) -> (samples: [[Float]], reports: [[VoiceReport]], decoded: Int) {
    let pool = VoiceDecodePool(
      mixes.map { VoiceDecodePool.MixVoices($0, sampleCount: Self.sampleCount) },
      cancellation: Cancellation())
    let numbers = ConditionLock(Array(mixes.indices))
    let made = ConditionLock([[Float]](repeating: [], count: mixes.count))
    let reports = ConditionLock([[VoiceReport]](repeating: [], count: mixes.count))
    ThreadGroup(count: mixes.count, name: "mixes") {
      let number = numbers.withLock { $0.removeLast() }
      var soundtrack = Soundtrack(number, of: pool)
      var (samples, block): ([Float], [Float]) = ([], [])
      while (try? soundtrack.next(into: &block)) == true {
        samples += block
        if abandoned.contains(number) { break }
      }
      made.withLock { $0[number] = samples }
      reports.withLock { $0[number] = soundtrack.voiceReports }
    }.join()
    return (made.withLock { $0 }, reports.withLock { $0 }, pool.decodedSamples)
  }

  @Test("Each mix equals a separate render, and common voices are decoded once")
  func decodedOnce() throws {
    let files = try SoundFiles()
    defer { withExtendedLifetime(files) {} }
    let (ada, ben) = try voices(files)
    var quiet = ada
    quiet.gain = GainCurve([
      GainCurve.Point(position: 0, decibels: -3), GainCurve.Point(position: 96_000, decibels: -30),
    ])
    let mixes = [[ada, ben], [quiet, ben], [ben], [quiet]]
    let (samples, reports, decoded) = together(mixes)
    for (number, mix) in mixes.enumerated() {
      let alone = together([mix])
      #expect(alone.samples[0].count == 2 * Int(Self.sampleCount))
      #expect(alone.samples[0] == samples[number])
      #expect(alone.reports[0] == reports[number])
    }
    #expect(decoded > 0 && decoded == reports[0].reduce(0) { $0 + $1.decodedSamples })
  }

  @Test("An abandoned mix leaves the others complete")
  func givenUp() throws {
    let files = try SoundFiles()
    defer { withExtendedLifetime(files) {} }
    let (ada, ben) = try voices(files)
    let whole = together([[ada, ben]]).samples[0]
    let (samples, _, _) = together([[ada, ben], [ben], [ada]], abandoned: [1, 2])
    #expect(samples[0] == whole)
  }

  @Test("A voice with another interval is decoded for that interval")
  func otherTimes() throws {
    let files = try SoundFiles()
    defer { withExtendedLifetime(files) {} }
    let (ada, _) = try voices(files)
    var part = ada
    part.interval = TimeRange(start: MediaTime(seconds: 1), end: MediaTime(seconds: 3))
    let (samples, _, decoded) = together([[ada], [part]])
    #expect(samples == [together([[ada]]).samples[0], together([[part]]).samples[0]])
    #expect(decoded > together([[ada]]).decoded)
  }
}
