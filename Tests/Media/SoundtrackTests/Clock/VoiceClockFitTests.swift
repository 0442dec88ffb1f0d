import TesseraCodecs
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraSoundtrack

@Suite(.timed) struct VoiceClockFitTests {
  private static func block(_ milliseconds: Double?, _ count: Int = 960, _ rate: Int = 48_000)
    -> SoundBlockInfo
  {
    let time = milliseconds.map { MediaTime(nanoseconds: Int64(($0 * 1e6).rounded())) }
    return SoundBlockInfo(time: time, sampleCount: count, sampleRate: rate)
  }

  // MARK: - Noise

  @Test(arguments: [8_000, 22_050, 44_100, 48_000], [UInt64(1), 2])
  func timesRoundedToMillisecondsHaveNoEffect(rate: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let start = Double.random(in: 0...10_000, using: &random)
    let result = ClockFixture.voice(
      seconds: 600, length: 1024.0 / 44.1, start: start, rate: rate, using: &random
    ).fitted()
    #expect(result.worst <= 1)
    #expect(result.fit.runs.count == 1 && result.fit.runs[0].isPlain)
  }

  @Test(arguments: [2.0, 8, 20], [UInt64(3), 4, 5])
  func jitterCausesNoCut(deviation: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let result = ClockFixture.voice(seconds: 300, stamp: .arrival(deviation), using: &random)
      .fitted()
    #expect(result.fit.runs.count == 1)
    #expect(result.worst <= 2)
  }

  @Test(arguments: [UInt64(6), 7, 8], [(every: 50, longest: 120.0), (100, 400), (1000, 1500)])
  func burstsCauseNoCut(seed: UInt64, bursts: (every: Int, longest: Double)) {
    var random = SplitMix64(seed: seed)
    let late = ClockFixture.bursts(every: bursts.every, upTo: bursts.longest)
    let result = ClockFixture.voice(seconds: 300, stamp: .arrival(2), using: &random, late: late)
      .fitted()
    #expect(result.fit.runs.count == 1)
    #expect(result.worst <= 5)
  }

  @Test(arguments: [5.0, 20, 40, 60], [UInt64(41), 42])
  func evenJitterCausesNoCut(most: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let result = ClockFixture.voice(
      seconds: 240, using: &random, late: ClockFixture.even(most)
    ).fitted()
    #expect(result.fit.runs.count == 1 && result.fit.runs[0].isPlain && result.worst <= 2)
  }

  @Test(arguments: [20.0, 60], [UInt64(43), 44, 45])
  func correlatedJitterCausesNoCut(most: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let result = ClockFixture.voice(
      seconds: 240, using: &random, late: ClockFixture.swell(most)
    ).fitted()
    #expect(result.fit.runs.count == 1 && result.fit.runs[0].isPlain && result.worst <= 5)
  }

  /// True if the pitch is wrong by less than a cent.
  private static func isInTune(_ fit: VoiceClockFit, partsPerMillion: Double = 0) -> Bool {
    fit.runs.flatMap(\.paces).allSatisfy { abs($0.ratio - 1 - partsPerMillion / 1e6) < 0.00057 }
  }

  @Test(arguments: [2.0, 5, 10, 20, 40, 60], [100, 20, 5])
  func lossesAreNoDriftUnderAnyJitter(most: Double, oneIn: Int) {
    var random = SplitMix64(seed: 46)
    let result = ClockFixture.voice(
      seconds: 240, using: &random, gap: ClockFixture.lost(oneIn: oneIn),
      late: ClockFixture.even(most)
    ).fitted()
    #expect(result.fit.partsPerMillion == 0)
    #expect(Self.isInTune(result.fit))
    #expect(result.worst <= (most < 10 ? 21 : 130))
  }

  @Test(arguments: [20.0, 60], [100, 20])
  func lossesUnderCorrelatedJitterKeepThePitch(most: Double, oneIn: Int) {
    var random = SplitMix64(seed: 47)
    let result = ClockFixture.voice(
      seconds: 240, using: &random, gap: ClockFixture.lost(oneIn: oneIn),
      late: ClockFixture.swell(most)
    ).fitted()
    #expect(result.fit.partsPerMillion == 0 && Self.isInTune(result.fit))
    #expect(result.worst <= 200)
  }

  @Test(arguments: [10.0, 20, 40], [100, 20])
  func driftAmongLossesKeepsThePitch(most: Double, oneIn: Int) {
    var random = SplitMix64(seed: 49)
    let result = ClockFixture.voice(
      seconds: 240, partsPerMillion: -300, using: &random,
      gap: ClockFixture.lost(oneIn: oneIn, length: 19.994), late: ClockFixture.even(most)
    ).fitted()
    let found = result.fit.partsPerMillion
    #expect(found == 0 || abs(found + 300) < 20)
    #expect(found != 0 || most > 10)
    #expect(Self.isInTune(result.fit, partsPerMillion: -300))
  }

  @Test(arguments: [-300.0, 100], [2.0, 5])
  func driftIsFoundAmongLosses(partsPerMillion: Double, most: Double) {
    var random = SplitMix64(seed: 48)
    let result = ClockFixture.voice(
      seconds: 240, partsPerMillion: partsPerMillion, using: &random,
      gap: ClockFixture.lost(oneIn: 20, length: 20 * (1 + partsPerMillion / 1e6)),
      late: ClockFixture.even(most)
    ).fitted()
    #expect(abs(result.fit.partsPerMillion - partsPerMillion) < 5)
    #expect(result.worst <= 2)
  }

  @Test(arguments: [-5000.0, -10, 9, 40, 10_800_000, 3_000_000_000_000])
  func oneWrongTimeIsIgnored(by error: Double) {
    let blocks = (0..<100).map { Self.block(20 * Double($0) + ($0 == 50 ? error : 0)) }
    let fit = VoiceClockFit(blocks)
    #expect(fit.runs == [VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0)])
  }

  @Test func wrongTimesBetweenAlternatingBlockSizesAreIgnored() {
    var random = SplitMix64(seed: 9)
    let late: (Int, inout SplitMix64) -> Double = { _, random in
      guard Int.random(in: 0..<6, using: &random) == 0 else { return 0 }
      return [-10, -6, 6, 10].randomElement(using: &random) ?? 0
    }
    let result = ClockFixture.voice(
      seconds: 120, length: 13, stamp: .milliseconds, using: &random, late: late
    ).fitted()
    #expect(result.fit.runs.count == 1 && result.fit.runs[0].isPlain)
    #expect(result.worst <= 1)
  }

  // MARK: - Pauses and gaps

  @Test(arguments: [1.0, 3, 5, 9, 20, 100, 1000, 60_000, 600_000], [UInt64(10), 11])
  func pausesAreKept(length: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let result = ClockFixture.voice(
      seconds: 60 + length / 1000, using: &random, gap: { number, _ in number == 1500 ? length : 0 }
    ).fitted()
    #expect(result.worst <= 2)
    #expect(abs(result.silence - length) <= 5)
    #expect(result.dropped == 0)
  }

  @Test(arguments: [9.0, 20, 1000, 3_600_000])
  func gapsTakeEffectImmediately(length: Double) {
    let blocks = (0..<100).map { Self.block(20 * Double($0) + ($0 < 50 ? 0 : length)) }
    let start = Int64((1000 + length) * 48)
    #expect(
      VoiceClockFit(blocks).runs == [
        VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0),
        VoiceClockFit.ContinuousRun(firstBlock: 50, start: start),
      ])
  }

  @Test func packetsBetweenGapsAreAllPlaced() {
    let blocks = (0..<100).map { Self.block(400 * Double($0)) }
    let expected = (0..<100).map {
      VoiceClockFit.ContinuousRun(firstBlock: $0, start: Int64(400 * 48 * $0))
    }
    #expect(VoiceClockFit(blocks).runs == expected)
  }

  @Test(arguments: [UInt64(12), 13, 14])
  func lostPacketsLeaveGaps(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let result = ClockFixture.voice(
      seconds: 300, using: &random,
      gap: { number, random in
        guard number > 0, Int.random(in: 0..<50, using: &random) == 0 else { return 0 }
        return Int.random(in: 0..<10, using: &random) == 0 ? 100 : 20
      }
    )
    let fitted = result.fitted()
    #expect(fitted.worst <= 2)
    #expect(abs(fitted.silence - fitted.dropped - result.gaps) <= 5)
  }

  /// Speech with DTX: in a pause, one packet comes every 400 ms.
  @Test(arguments: [UInt64(15), 16, 31, 32], [0.0, 2])
  func pausesOfDTXAreKept(seed: UInt64, deviation: Double) {
    var random = SplitMix64(seed: seed)
    var (isSpeaking, left) = (true, 100)
    let result = ClockFixture.voice(
      seconds: 300, stamp: deviation > 0 ? .arrival(deviation) : .milliseconds, using: &random,
      gap: { _, random in
        left -= 1
        if left <= 0 {
          isSpeaking.toggle()
          left =
            isSpeaking ? .random(in: 20...300, using: &random) : .random(in: 1...20, using: &random)
        }
        return isSpeaking ? 0 : 380
      })
    let fitted = result.fitted()
    #expect(fitted.worst <= 2)
    #expect(abs(fitted.silence - fitted.dropped - result.gaps) <= 5)
  }

  /// After a pause of any length, packets are off the earlier packet grid.
  @Test(arguments: [UInt64(26), 27])
  func pausesAreNotWholePackets(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let result = ClockFixture.voice(
      seconds: 300, stamp: .arrival(2), using: &random,
      gap: { number, random in
        number % 200 == 199 ? .random(in: 100...900, using: &random) : 0
      })
    #expect(result.fitted().worst <= 2)
  }

  @Test func overlapsMoveBack() {
    let blocks = (0..<100).map { Self.block(20 * Double($0) - ($0 < 50 ? 0 : 60)) }
    #expect(
      VoiceClockFit(blocks).runs == [
        VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0),
        VoiceClockFit.ContinuousRun(firstBlock: 50, start: 940 * 48),
      ])
  }

  @Test func restartedTimesContinue() {
    let blocks = (0..<100).map { Self.block(20 * Double($0 % 50)) }
    #expect(VoiceClockFit(blocks).runs == [VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0)])
  }

  @Test func smallGapsAreSpreadAndDoNotAddUp() {
    var random = SplitMix64(seed: 17)
    let result = ClockFixture.voice(
      seconds: 900, using: &random, gap: { number, _ in number % 67 == 66 ? 1.5 : 0 }
    ).fitted()
    #expect(result.worst <= 2)
    #expect(result.fit.runs.count == 1)
  }

  // MARK: - Drift

  @Test(arguments: [-1000.0, -300, -100, -20, 20, 100, 300, 1000], [0.0, 8])
  func driftIsFollowed(partsPerMillion: Double, deviation: Double) {
    var random = SplitMix64(seed: 18)
    let result = ClockFixture.voice(
      seconds: 600, partsPerMillion: partsPerMillion,
      stamp: deviation > 0 ? .arrival(deviation) : .milliseconds, using: &random
    ).fitted()
    #expect(result.worst <= 2)
    #expect(result.fit.runs.count == 1)
    #expect(abs(result.fit.partsPerMillion - partsPerMillion) < 3)
  }

  /// Chromium's times rise for 5 s, every other one 1.4 ms early, and then fall by 10 ms.
  @Test(arguments: [4.0, 5, 6, 8, 10, 20, 60], [0, 20, 40, 60])
  func sawtoothTimesAreNoDrift(seconds: Double, phase: Int) {
    let count = Int(seconds / 0.06)
    let blocks = (0..<count).map { number in
      let early = number.isMultiple(of: 2) ? 0 : 1.4
      let late = 0.117 * Double((number + phase) % 82)
      return Self.block(60 * Double(number) + late - early, 2880)
    }
    let fit = VoiceClockFit(blocks)
    #expect(fit.partsPerMillion == 0 && fit.refusedPartsPerMillion == 0)
  }

  @Test("No rate is stated for a few seconds, which noise could explain as well", arguments: 1...20)
  func jitterOfAShortVoiceIsNoDrift(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let fit = ClockFixture.voice(
      seconds: 4, length: 60, using: &random,
      late: { _, random in Double.random(in: -10...10, using: &random) }
    ).fitted().fit
    #expect(fit.partsPerMillion == 0 && fit.refusedPartsPerMillion == 0)
  }

  @Test(arguments: [-50_000.0, -10_000, 3000, 10_000, 50_000])
  func implausibleSlopesAreNotFollowed(partsPerMillion: Double) {
    var random = SplitMix64(seed: 19)
    let fit = ClockFixture.voice(
      seconds: 600, partsPerMillion: partsPerMillion, using: &random
    ).fitted().fit
    #expect(fit.runs == [VoiceClockFit.ContinuousRun(firstBlock: 0, start: 137 * 48)])
    #expect(fit.partsPerMillion == 0 && abs(fit.refusedPartsPerMillion - partsPerMillion) < 3)
  }

  @Test func aChangingClockIsFollowed() {
    var random = SplitMix64(seed: 20)
    var fixture = ClockFixture.voice(seconds: 1200, stamp: .exact, using: &random)
    for index in fixture.blocks.indices {
      let time = fixture.truth[index] - fixture.truth[0]
      let bend = time < 600_000 ? time * 60e-6 : 36 - (time - 600_000) * 40e-6
      fixture.truth[index] += bend
      let rounded = Int64(fixture.truth[index].rounded()) * 1_000_000
      fixture.blocks[index].time = MediaTime(nanoseconds: rounded)
    }
    let result = fixture.fitted()
    #expect(result.worst <= 2)
    #expect(result.fit.runs.count == 1)
  }

  // MARK: - Borders

  @Test(arguments: [UInt64(21), 22, 23, 24])
  func mixedDefectsStayBelowTenMilliseconds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let result = ClockFixture.voice(
      seconds: 400, using: &random,
      gap: { number, random in
        guard number > 0, number.isMultiple(of: 100) else { return 0 }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return Double.random(in: 0...8, using: &random)
        case 1: return Double.random(in: 0...500, using: &random)
        case 2: return -Double.random(in: 0...15, using: &random)
        default: return 0
        }
      }
    ).fitted()
    #expect(result.worst < 10)
  }

  /// Some WebM writers store the end times of Vorbis packets, whose blocks have two lengths.
  @Test(arguments: [false, true])
  func endTimesOfPacketsAreRecognized(areEnds: Bool) {
    var random = SplitMix64(seed: 28)
    var (time, blocks) = (250.0, [SoundBlockInfo]())
    var count = 0
    for _ in 0..<500 {
      blocks.append(
        Self.block((time + (areEnds ? Double(count) / 44.1 : 0)).rounded(), count, 44_100))
      time += Double(count) / 44.1
      count = [128, 576, 1024].randomElement(using: &random) ?? 0
    }
    let runs = VoiceClockFit(blocks).runs
    #expect(runs.count == 1 && abs(runs[0].start - 12_000) <= 48)
  }

  @Test func aNewSampleRateContinuesTheOldOne() {
    let blocks =
      (0..<100).map { Self.block(20 * Double($0), 882, 44_100) }
      + (0..<100).map { Self.block(2000 + 20 * Double($0), 960, 48_000) }
    #expect(VoiceClockFit(blocks).runs == [VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0)])
  }

  @Test func blocksWithoutTimesAreCounted() {
    #expect(
      VoiceClockFit([Self.block(nil), Self.block(nil)]).runs == [
        VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0)
      ])
    #expect(
      VoiceClockFit([SoundBlockInfo]()).runs == [
        VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0)
      ])
    let late = [Self.block(nil), Self.block(520), Self.block(540)]
    #expect(
      VoiceClockFit(late).runs == [VoiceClockFit.ContinuousRun(firstBlock: 0, start: 500 * 48)])
  }

  @Test func hugeTimesDoNotOverflow() {
    let century = 3_153_600_000_000.0
    let fit = VoiceClockFit([
      Self.block(0), Self.block(century), Self.block(-century), Self.block(nil),
    ])
    #expect(fit.runs.first == VoiceClockFit.ContinuousRun(firstBlock: 0, start: 0))
    #expect(fit.runs.count <= 3)
  }

  @Test func anHourIsFittedToTheMillisecond() {
    var random = SplitMix64(seed: 25)
    let fixture = ClockFixture.voice(
      seconds: 3600, partsPerMillion: 40, stamp: .arrival(8), using: &random)
    #expect(fixture.fitted().worst <= 2)
  }
}
