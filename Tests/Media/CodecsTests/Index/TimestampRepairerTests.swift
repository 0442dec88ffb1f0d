import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

/// Jumps of days in the timestamps of a short recording.
@Suite(.timed) struct TimestampRepairerTests {
  private static let day: Int64 = 86_400_000
  private static let pictureTimes = (0..<250).map { Int64(40 * $0) }
  private static let soundTimes = (0..<500).map { Int64(20 * $0) }

  private static func stream(
    _ kind: StreamInfo.Kind, _ times: [Int64], reorder: Bool = false, promised: Int64? = nil
  ) -> StreamPackets {
    let info = StreamInfo(
      index: kind == .video ? 0 : 1, kind: kind, codec: "", isDecodable: true, isDefault: false,
      timeBase: Ratio(1, 1000))
    let step: Int64 = kind == .video ? 40 : 20
    return StreamPackets(
      info: info,
      packets: times.enumerated().map { number, time in
        PacketInfo(
          presentation: time, decoding: reorder ? nil : time, duration: step,
          position: Int64(1000 * number), size: 100, isKeyframe: number == 0 || kind == .audio,
          sequence: number)
      }, mayReorder: reorder, promisedEnd: promised)
  }

  private static func find(_ streams: [StreamPackets], container: String) -> [ClockStretch] {
    ClockStretchFinder.stretches(of: streams, in: ContainerTraits(container)).joined().map { $0 }
  }

  private static let containers = ["matroska,webm", "mov,mp4", "flv", "mpegts", "ogg", "avi"]

  /// From a packet on, all times are days off, or only one of them is.
  @Test(arguments: containers, [(0, 1), (1, 2), (100, 101), (100, 250), (249, 250), (3, 250)])
  func jumpsOfDaysAreClosed(container: String, wrong: (Int, Int)) throws {
    for days in [Int64(95), -95] {
      for reorder in [false, true] {
        var times = Self.pictureTimes
        for packet in wrong.0..<wrong.1 { times[packet] += days * Self.day }
        let found = Self.find(
          [Self.stream(.video, times, reorder: reorder), Self.stream(.audio, Self.soundTimes)],
          container: container)
        // A repeated recording is split into two, one after another; none is longer than 10 s.
        let pictures = found.filter { $0.packets.count <= 250 && $0.timeBase == Ratio(1, 1000) }
        for stretch in pictures {
          let first = try #require(stretch.shownTicks.min())
          #expect(stretch.endTicks - first <= 10_100, "\(container) \(wrong) \(days) \(reorder)")
        }
      }
    }
  }

  @Test func soundJumpsAreClosedLikePictures() throws {
    var (pictures, sound) = (Self.pictureTimes, Self.soundTimes)
    for packet in 125..<250 { pictures[packet] += 4 * Self.day }
    for packet in 250..<500 { sound[packet] += 4 * Self.day }
    let found = Self.find(
      [Self.stream(.video, pictures), Self.stream(.audio, sound)], container: "matroska,webm")
    #expect(found.map(\.ticks) == [Self.pictureTimes, Self.soundTimes])
    #expect(found.map(\.leaps.count) == [1, 1])
    #expect(found[0].leaps.longest >= MediaTime(seconds: 4 * 86_400))
  }

  /// A stream whose times are all days late starts with the other.
  @Test func streamsDaysApartStartTogether() throws {
    let late = Self.pictureTimes.map { $0 + 4 * Self.day }
    let found = Self.find(
      [Self.stream(.video, late), Self.stream(.audio, Self.soundTimes)],
      container: "matroska,webm")
    #expect(found.map(\.ticks) == [Self.pictureTimes, Self.soundTimes])
  }

  /// A pause shorter than the recording, or declared in the header, is kept.
  @Test func realPausesAreKept() throws {
    let hours = (0..<6000).map { Int64(1000 * $0) }
    let late = hours.map { $0 + 6_000_000 + 5_000_000 }
    let long = Self.find([Self.stream(.video, hours + late)], container: "matroska,webm")
    #expect(long.map(\.ticks) == [hours + late] && long[0].leaps.count == 0)
    let promised = Self.pictureTimes + Self.pictureTimes.map { $0 + 4 * Self.day }
    let short = Self.find(
      [Self.stream(.video, promised, promised: 4 * Self.day + 20_000)],
      container: "matroska,webm")
    #expect(short.map(\.ticks) == [promised])
  }
}
