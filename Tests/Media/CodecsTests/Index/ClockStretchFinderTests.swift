import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

/// Packet tables, and the stretches found in them.
@Suite(.timed) struct ClockStretchFinderTests {
  private static func info(_ kind: StreamInfo.Kind, timeBase: Ratio) -> StreamInfo {
    StreamInfo(
      index: kind == .video ? 0 : 1, kind: kind, codec: "", isDecodable: true, isDefault: false,
      timeBase: timeBase)
  }

  /// Returns pictures at `times` in milliseconds, with a keyframe at first and wherever times fall
  /// back below 0.5 s.
  private static func pictures(
    _ times: [Int64], duration: Int64 = 40, from sequence: Int = 0, reorder: Bool = false
  ) -> StreamPackets {
    var stream = StreamPackets(info: info(.video, timeBase: Ratio(1, 1000)), mayReorder: reorder)
    stream.packets = times.enumerated().map { number, time in
      let goesBack = number == 0 || time < times[number - 1]
      return PacketInfo(
        presentation: time, decoding: reorder ? nil : time, duration: duration,
        position: Int64(1000 * (sequence + 2 * number)), size: 1000,
        isKeyframe: goesBack && time < 500, sequence: sequence + 2 * number)
    }
    return stream
  }

  /// Returns sound in blocks of 20 ms at `times` in milliseconds, interleaved with the pictures.
  private static func sound(_ times: [Int64], from sequence: Int = 1) -> StreamPackets {
    var stream = StreamPackets(info: info(.audio, timeBase: Ratio(1, 1000)))
    stream.packets = times.enumerated().map { number, time in
      PacketInfo(
        presentation: time, decoding: time, duration: 20, position: Int64(1000 * number + 500),
        size: 100, isKeyframe: true, sequence: sequence + number)
    }
    return stream
  }

  private static let every40 = (0..<50).map { Int64(40 * $0) }
  private static let every20 = (0..<100).map { Int64(20 * $0) }

  private static func find(_ streams: StreamPackets..., container: String) -> [[ClockStretch]] {
    ClockStretchFinder.stretches(of: streams, in: ContainerTraits(container))
  }

  @Test(arguments: ["matroska,webm", "mpegts", "ogg", "mov,mp4", "flv"])
  func oneRecordingIsOneStretch(container: String) throws {
    let found = Self.find(
      Self.pictures(Self.every40), Self.sound(Self.every20), container: container)
    for (stretches, count) in zip(found, [50, 100]) {
      let stretch = try #require(stretches.first)
      #expect(stretches.count == 1 && stretch.packets == 0..<count && stretch.link == 0)
      #expect(stretch.endTicks == 2000 && stretch.wrongTimes == 0 && !stretch.isCounted)
      #expect(stretch.isShown.allSatisfy { $0 })
    }
    #expect(found[0][0].ticks == Self.every40 && found[1][0].ticks == Self.every20)
  }

  /// A picture every 6 s. The last one lasts 1 s, or up to the container's end, but never invisibly
  /// short.
  @Test(arguments: [(nil, 7038), (6500, 6500), (6039, 6078), (9000, 7038), (6000, 7038)])
  func theLastOfSparsePicturesEndsWithTheContainer(declared: Int64?, end: Int64) {
    var pictures = Self.pictures([38, 6038], duration: 0)
    pictures.declaredEnd = declared
    #expect(Self.find(pictures, container: "matroska,webm")[0][0].endTicks == end)
  }

  @Test(arguments: ["matroska,webm", "mpegts", "mov,mp4"])
  func aRestartedRecorderGivesTwoStretches(container: String) throws {
    let found = Self.find(
      Self.pictures(Self.every40 + Self.every40), Self.sound(Self.every20 + Self.every20),
      container: container)
    #expect(found.map { $0.map(\.link) } == [[0, 1], [0, 1]])
    #expect(found.map { $0.map(\.packets) } == [[0..<50, 50..<100], [0..<100, 100..<200]])
    #expect(found.joined().allSatisfy { $0.endTicks == 2000 && $0.wrongTimes == 0 })
  }

  /// Pictures that only the second recording has belong to that recording.
  @Test func streamsOfTheSecondRecordingBelongToIt() throws {
    let found = Self.find(
      Self.pictures(Self.every40, from: 150), Self.sound(Self.every20 + Self.every20),
      container: "matroska,webm")
    #expect(found.map { $0.map(\.link) } == [[1], [0, 1]])
  }

  /// A jump back at a non-keyframe, or far from the beginning, is damage.
  @Test func jumpsBackWithoutAKeyframeAreNoNewRecording() throws {
    var pictures = Self.pictures(Self.every40 + Self.every40)
    for packet in 1..<100 { pictures.packets[packet].isKeyframe = false }
    let stretches = Self.find(pictures, container: "matroska,webm")[0]
    #expect(stretches.count == 1 && stretches[0].wrongTimes > 0)
    let ticks = stretches[0].ticks
    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// An edit list repeats an earlier part of the file; the pictures that lead to it are not shown.
  @Test func editsThatGoBackAreNoNewRecording() throws {
    var pictures = Self.pictures(Self.every40 + Self.every40.map { $0 + 400 })
    for packet in 50..<100 { pictures.packets[packet].position -= 100_000 }
    for packet in 50..<90 { pictures.packets[packet].isDiscarded = true }
    let stretches = Self.find(pictures, container: "mov,mp4")[0]
    #expect(stretches.count == 1)
    #expect(stretches[0].isShown == (0..<100).map { !(50..<90).contains($0) })
    #expect(stretches[0].endTicks == 2400)
  }

  /// A few misplaced packets follow their predecessors; the rest stays.
  @Test(
    arguments: [("mpegts", -1500), ("mpegts", 20_000), ("matroska,webm", -700), ("flv", 30_000)])
  func fewWrongTimesAreCorrected(container: String, by leap: Int) throws {
    var times = Self.every40 + Self.every40.map { $0 + 2000 }
    for packet in 60..<63 { times[packet] += Int64(leap) }
    let stretch = try #require(Self.find(Self.pictures(times), container: container)[0].first)
    #expect(stretch.packets == 0..<100 && stretch.wrongTimes == 3)
    #expect(zip(stretch.ticks, stretch.ticks.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(stretch.endTicks == 4000)
    for packet in stretch.packets where !(60..<63).contains(packet) {
      #expect(stretch.ticks[packet] == 40 * packet)
    }
    #expect((2360...2520).contains(stretch.ticks[61]))
  }

  @Test func reorderedPicturesAreLeftAlone() throws {
    let order: [Int64] = [0, 3000, 1000, 2000, 6000, 4000, 5000]
    let found = Self.find(Self.pictures(order, reorder: true), container: "matroska,webm")[0]
    #expect(found.map(\.ticks) == [order] && found[0].wrongTimes == 0)
  }

  @Test func packetsWithoutTimesAreCounted() throws {
    var pictures = Self.pictures(Self.every40)
    pictures.mayReorder = true
    for packet in pictures.packets.indices {
      (pictures.packets[packet].presentation, pictures.packets[packet].decoding) = (nil, nil)
    }
    let stretch = try #require(Self.find(pictures, container: "h264")[0].first)
    #expect(stretch.isCounted && stretch.ticks == Array(0..<50))
    #expect(stretch.timeBase == Ratio(1, 25) && stretch.endTicks == 50)
  }

  @Test func theLastPictureLastsAsLongAsTheOthers() throws {
    let without = Self.pictures(Self.every40, duration: 0)
    #expect(Self.find(without, container: "matroska,webm")[0][0].endTicks == 2000)
    let lone = Self.pictures([500], duration: 0)
    #expect(Self.find(lone, container: "matroska,webm")[0][0].endTicks == 540)
    var claimsHours = Self.pictures(Self.every40)
    claimsHours.packets[49].duration = 9_000_000
    #expect(Self.find(claimsHours, container: "matroska,webm")[0][0].endTicks == 2000)
    claimsHours.declaredEnd = 9_002_000
    #expect(Self.find(claimsHours, container: "mov,mp4")[0][0].endTicks == 9_001_960)
  }

  @Test(arguments: [
    (Ratio(30, 1), 300), (Ratio(60, 1), 300), (Ratio(24000, 1001), 300), (Ratio(30000, 1001), 300),
    (Ratio(15, 1), 20), (Ratio(25, 1), 100),
  ])
  func roundedTimesHaveARate(rate: Ratio, count: Int) {
    for offset in [0.0, 0.3, 0.6] {
      let times = (0..<count).map { number in
        Int64((1000 * Double(number) / rate.value + offset).rounded())
      }
      #expect(NominalFrameRateFinder.find(times, timeBase: Ratio(1, 1000), claimed: nil) == rate)
    }
  }

  @Test func aRateIsFoundBetweenLatePictures() throws {
    var times = (0..<120).map { Int64((1000 * Double($0) / 60).rounded()) }
    times[31] += 5
    times[77] += 7
    let found = try #require(
      NominalFrameRateFinder.find(times, timeBase: Ratio(1, 1000), claimed: Ratio(60, 1)))
    #expect(found == Ratio(60, 1))
    let clock = TrackTimeMapping(
      start: .zero, firstTicks: 0, timeBase: Ratio(1, 1000), nominalRate: found)
    for (picture, ticks) in times.enumerated() {
      let exact = ExactTime(Int128(picture), over: 60)
      let own = ExactTime(Int128(ticks), over: 1000)
      #expect(clock.time(ticks: ticks) == ([31, 77].contains(picture) ? own : exact))
    }
    // At 30 frames/s, every second picture is shown: the even ones.
    let frames = times.map { clock.firstFrame(showing: $0, at: .thirty) }
    for frame in 1..<59 {
      #expect(frames.lastIndex { $0 <= frame } == 2 * frame)
    }
  }

  @Test func cameraTimesHaveNoRate() {
    var random = SplitMix64(seed: 3)
    let times = (0..<100).map { Int64(33 * $0) + Int64.random(in: -5...5, using: &random) }
    #expect(
      NominalFrameRateFinder.find(times, timeBase: Ratio(1, 1000), claimed: Ratio(30, 1)) == nil)
    let fine = (0..<100).map { Int64(3003 * $0) }
    #expect(NominalFrameRateFinder.find(fine, timeBase: Ratio(1, 90_000), claimed: nil) == nil)
    #expect(NominalFrameRateFinder.find([7], timeBase: Ratio(1, 1000), claimed: nil) == nil)
  }

  /// For any numbers, nothing overflows, and every packet is in one stretch, in order.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func everyPacketIsInOneStretch(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for container in ["matroska,webm", "mpegts", "mov,mp4", "ogg", "avi"] {
      var stream = StreamPackets(
        info: Self.info(.video, timeBase: Ratio(1, 90_000)), mayReorder: Bool.random(using: &random)
      )
      stream.packets = (0..<300).map { number in
        let limits: ClosedRange<Int64> =
          Bool.random(using: &random) ? -90_000...900_000 : -(1 << 61)...1 << 61
        return PacketInfo(
          presentation: number % 7 == 0 ? nil : Int64.random(in: limits, using: &random),
          decoding: number % 5 == 0 ? nil : Int64.random(in: limits, using: &random),
          duration: Int64.random(in: 0...1 << 60, using: &random), position: Int64(number),
          size: 1, isKeyframe: Bool.random(using: &random),
          isDiscarded: Bool.random(using: &random), sequence: number)
      }
      let stretches = Self.find(stream, container: container)[0]
      #expect(stretches.flatMap { Array($0.packets) } == Array(0..<300))
      for stretch in stretches {
        #expect(stretch.ticks.count == stretch.packets.count)
        #expect(stretch.isShown.count == stretch.packets.count)
      }
    }
  }
}
