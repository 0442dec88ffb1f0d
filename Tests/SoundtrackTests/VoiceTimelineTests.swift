import TesseraMedia
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite struct VoiceTimelineTests {
  /// Feeds blocks to a timeline and follows where an exact resampler would put them.
  struct Follower {
    var timeline: VoiceTimeline
    var position: Double = 0
    var stretch: (perSample: Double, left: Double) = (0, 0)
    var placements: [VoiceTimeline.Placement] = []
    /// The largest distance between where a block lies and where its time says, in samples.
    var worst: Double = 0

    init(offset: MediaTime = .zero) { timeline = VoiceTimeline(offset: offset) }

    mutating func run(_ blocks: [SoundBlock], trueTimes: [Double]) {
      for (index, block) in blocks.enumerated() {
        let next = index + 1 < blocks.count ? blocks[index + 1] : nil
        let placement = timeline.place(block, before: next)
        placements.append(placement)
        switch placement {
        case .continues: break
        case .starts(let start): (position, stretch) = (Double(start), (0, 0))
        case .stretches(let by):
          let patience = Double(VoiceTimeline.patience)
          stretch = (Double(by) / patience, patience)
        }
        worst = max(worst, abs(position - trueTimes[index] * 48))
        let length = Double(block.sampleCount) * 48_000 / Double(block.sampleRate)
        let stretched = min(length, stretch.left)
        position += length + stretched * stretch.perSample
        stretch.left -= stretched
      }
    }

    /// How often the samples were broken or bent after the first block.
    var interventions: Int { placements.dropFirst().filter { $0 != .continues }.count }
  }

  private static func milliseconds(_ value: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64((value * 1e6).rounded()))
  }

  private static func rounded(_ value: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64(value.rounded()) * 1_000_000)
  }

  private static func block(_ time: MediaTime?, _ count: Int = 960, _ rate: Int = 48_000)
    -> SoundBlock
  {
    SoundBlock(time: time, sampleCount: count, sampleRate: rate)
  }

  @Test(arguments: [8_000, 22_050, 44_100, 48_000], [UInt64(1), 2, 3])
  func timesRoundedToMillisecondsChangeNothing(rate: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let start = Double.random(in: 0...10_000, using: &random)
    var (blocks, times): ([SoundBlock], [Double]) = ([], [])
    var samples = 0
    while samples < 600 * rate {
      let time = start + 1000 * Double(samples) / Double(rate)
      let count = [120, 256, 960, 1024, 2880].randomElement(using: &random) ?? 960
      blocks.append(Self.block(Self.rounded(time), count, rate))
      times.append(time)
      samples += count
    }
    var follower = Follower()
    follower.run(blocks, trueTimes: times)
    #expect(follower.interventions == 0)
    #expect(follower.placements.first == .starts(at: blocks[0].time?.sample(atRate: 48_000) ?? -1))
  }

  @Test(arguments: [UInt64(4), 5, 6])
  func jitterChangesNothing(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let times = (0..<30_000).map { 20 * Double($0) }
    let blocks = times.enumerated().map { index, time in
      Self.block(
        Self.rounded(time + (index == 0 ? 0 : Double.random(in: -7...7, using: &random))))
    }
    var follower = Follower()
    follower.run(blocks, trueTimes: times)
    #expect(follower.interventions == 0)
    #expect(follower.worst == 0)
  }

  @Test(arguments: [-5000.0, -10, 9, 40, 10_800_000, 3_000_000_000_000])
  func oneWrongTimeIsOverheard(by error: Double) {
    let times = (0..<100).map { 20 * Double($0) }
    let blocks = times.enumerated().map { index, time in
      Self.block(Self.milliseconds(time + (index == 50 ? error : 0)))
    }
    var follower = Follower()
    follower.run(blocks, trueTimes: times)
    #expect(follower.interventions == 0)
  }

  @Test(arguments: [9.0, 20, 1000, 3_600_000])
  func gapIsLeftAtOnce(length: Double) {
    let times = (0..<100).map { 20 * Double($0) + ($0 < 50 ? 0 : length) }
    var follower = Follower()
    follower.run(times.map { Self.block(Self.milliseconds($0)) }, trueTimes: times)
    #expect(follower.interventions == 1)
    #expect(follower.placements[50] == .starts(at: Int64((1000 + length) * 48)))
    #expect(follower.worst == 0)
  }

  @Test func packetsBetweenGapsAreAllPlaced() {
    let times = (0..<100).map { 400 * Double($0) }
    var follower = Follower()
    follower.run(times.map { Self.block(Self.milliseconds($0)) }, trueTimes: times)
    #expect(follower.interventions == 99)
    #expect(follower.worst == 0)
  }

  @Test func overlapGoesBack() {
    let times = (0..<100).map { 20 * Double($0) - ($0 < 50 ? 0 : 60) }
    var follower = Follower()
    follower.run(times.map { Self.block(Self.milliseconds($0)) }, trueTimes: times)
    #expect(follower.placements[50] == .starts(at: 940 * 48))
    #expect(follower.interventions == 1)
  }

  @Test func holesOfDiscontinuousTransmissionDoNotAddUp() {
    var (times, time): ([Double], Double) = ([], 0)
    for index in 0..<135_000 {
      times.append(time)
      time += 20 + (index % 67 == 0 ? 1.5 : 0)
    }
    var follower = Follower()
    follower.run(times.map { Self.block(Self.rounded($0)) }, trueTimes: times)
    #expect(time - 135_000 * 20 > 3000)
    #expect(follower.worst < 480)
    let areAllSlow = follower.placements.dropFirst().allSatisfy {
      if case .starts = $0 { false } else { true }
    }
    #expect(areAllSlow)
  }

  @Test(arguments: [-10_000.0, -1000, -100, -20, 20, 100, 1000, 3000, 10_000, 50_000])
  func driftStaysBelowTenMilliseconds(partsPerMillion: Double) {
    let times = (0..<60_000).map { 20 * Double($0) * (1 + partsPerMillion / 1e6) }
    var follower = Follower()
    follower.run(times.map { Self.block(Self.rounded($0)) }, trueTimes: times)
    #expect(follower.worst < 480)
  }

  @Test(arguments: [UInt64(7), 8, 9, 10])
  func anyMixtureStaysBelowTenMilliseconds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (times, time): ([Double], Double) = ([], 0)
    for index in 0..<20_000 {
      times.append(time)
      time += 20
      // A change that the next block takes back would be a single wrong time.
      guard index.isMultiple(of: 3) else { continue }
      switch Int.random(in: 0..<100, using: &random) {
      case 0: time += Double.random(in: 0...8, using: &random)
      case 1: time += Double.random(in: 0...500, using: &random)
      case 2: time -= Double.random(in: 0...15, using: &random)
      default: break
      }
    }
    var follower = Follower()
    follower.run(times.map { Self.block(Self.rounded($0)) }, trueTimes: times)
    #expect(follower.worst < 480)
  }

  @Test func timesThatStartOverContinue() {
    let times = (0..<100).map { 20 * Double($0 % 50) }
    var follower = Follower()
    follower.run(times.map { Self.block(Self.milliseconds($0)) }, trueTimes: times)
    #expect(follower.interventions == 0)
  }

  @Test func newSampleRateBeginsANewRunWhereTheOldOneEnds() {
    var timeline = VoiceTimeline(offset: .zero)
    let first = Self.block(.zero, 44_100, 44_100)
    let second = Self.block(Self.milliseconds(1001), 48_000, 48_000)
    #expect(timeline.place(first, before: second) == .starts(at: 0))
    #expect(timeline.place(second, before: nil) == .starts(at: 48_000))
    let third = Self.block(.zero, 8000, 8000)
    #expect(timeline.place(third, before: nil) == .starts(at: 96_000))
  }

  @Test func blocksWithoutTimesAreCounted() {
    var timeline = VoiceTimeline(offset: MediaTime(seconds: 2))
    let block = Self.block(nil)
    #expect(timeline.place(block, before: block) == .starts(at: 96_000))
    #expect(timeline.place(block, before: block) == .continues)
    #expect(timeline.place(Self.block(Self.milliseconds(540)), before: nil) == .starts(at: 121_920))
  }

  @Test func farTimesAreOnlyNumbers() {
    let century = MediaTime(seconds: 3_153_600_000)
    var timeline = VoiceTimeline(offset: .zero)
    _ = timeline.place(Self.block(.zero), before: nil)
    #expect(
      timeline.place(Self.block(century), before: nil) == .starts(at: 3_153_600_000 * 48_000))
    #expect(timeline.place(Self.block(.zero - century), before: nil) == .continues)
    #expect(timeline.place(Self.block(nil), before: nil) == .continues)
  }
}
