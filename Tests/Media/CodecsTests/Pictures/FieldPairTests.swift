import TesseraCodecs
import TesseraTimeline
import TestSupport
import Testing

/// H.264 with one field per packet.
@Suite(.timed) struct FieldPairTests {
  @Test(
    .enabled(if: SharedMedia.isPresent, "\(SharedMedia.absence)"),
    arguments: [("mts_uembca.MTS", 36), ("me_sony_a7m3.mts", 13)])
  func twoFieldsAreOnePicture(name: String, count: Int) throws {
    let source = try #require(try PictureSource.preferred(SharedMedia.path("edge/\(name)")))
    let packets = try source.pictures().map(\.packet)
    #expect(packets.count == count)
    #expect(packets == source.order.map { Int($0) })
    // 25 pictures per second, up to the end of the last one.
    let times = packets.map { source.time(of: $0) }
    for (time, next) in zip(times, times.dropFirst()) {
      #expect(abs((next - time).seconds - 0.04) < 0.0002)
    }
    let end = try #require(times.last)
    #expect(abs((source.track.end - end).seconds - 0.04) < 0.0002)
  }
}
