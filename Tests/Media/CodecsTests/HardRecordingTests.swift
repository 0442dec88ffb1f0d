import TesseraMessages
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

/// Recordings that are easily misread.
@Suite(.timed, .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)))
struct HardRecordingTests {
  private static func scan(_ name: String) throws -> MediaScanResult {
    try MediaFileInfo.scan(SharedMedia.path("edge/\(name)"))
  }

  private static func pictures(_ name: String) throws -> PictureSource {
    try #require(try PictureSource.preferred(SharedMedia.path("edge/\(name)")))
  }

  /// Expects that pictures read from each start equal those of sequential reading.
  private static func expectSameFromEverywhere(_ source: PictureSource, step: Int) throws {
    let all = try source.shown()
    for number in stride(from: all.count - 1, through: 0, by: -step) {
      let start = source.decodingStart(toShow: all[number].packet)
      let part = try source.shown(from: start).drop {
        source.shows($0.packet, before: all[number].packet)
      }
      #expect(Array(part) == Array(all[number...]), "picture \(number)")
    }
  }

  @Test func picturesBeforeAnEditAreNotShown() throws {
    let scan = try Self.scan("fate_2elist.mp4")
    let track = try #require(scan.file.tracks(.video).first)
    #expect(scan.file.tracks.count == 1 && track.end == ExactTime(7, over: 4))
    let source = scan.pictures(track)
    let all = try source.shown()
    #expect(all.count == 42 && source.order.map(Int.init) == all.map(\.packet))
    #expect(Set(all.map(\.digest)).count == 42 && scan.file.losses.isEmpty)
    try Self.expectSameFromEverywhere(source, step: 5)
  }

  @Test func sideDataOfTheFirstPacketSurvivesASeek() throws {
    let source = try Self.pictures("ii_cockatoo.mp4")
    #expect(source.track.needsFirstPacket)
    let all = try source.shown()
    #expect(all.count == 280)
    let last = try #require(all.last?.packet)
    let start = source.decodingStart(toShow: last)
    #expect(start > 0)
    let part = try source.shown(from: start)
    #expect(!part.isEmpty && part == Array(all.suffix(part.count)))
  }

  @Test func dependentKeyframesNeedAnEarlierStart() throws {
    let source = try Self.pictures("am_iibbibb_editlist.mp4")
    #expect(try source.shown().count == 12)
    try Self.expectSameFromEverywhere(source, step: 1)
  }

  @Test func aDataTrackPastTheEndDoesNotAffectTheOthers() throws {
    let file = try Self.scan("fate_wwwq_cut.mp4").file
    #expect(try #require(file.preferred(.video).first).end > ExactTime(39, over: 10))
    #expect(try #require(file.preferred(.audio).first).end > ExactTime(32, over: 10))
    let losses = file.losses.map(\.code)
    #expect(losses.first == "cut-off" && losses.dropFirst().allSatisfy { $0 == "missing" })
  }

  @Test(arguments: ["mb_vorbis-eos.ogg", "am_mdat_too_long.mp4", "mb_cursed-vfr.mp4"])
  func completeFilesHaveNoLosses(name: String) throws {
    let scan = try Self.scan(name)
    #expect(scan.file.losses.isEmpty)
    for track in scan.file.tracks(.audio) {
      var reader = try SoundReader.open(scan.sound(track), cancellation: Cancellation())
      while reader.next() != nil {}
      #expect(reader.losses.isEmpty)
    }
  }

  @Test func concealedSoundIsReported() throws {
    let losses = try Self.scan("me_sample.3gp").file.losses
    #expect(losses.map(\.cause) == [.partlyDecoded(percent: 20)])
    #expect(
      losses.first?.description == "only 20 % of its sound can be decoded; the rest is silence.")
  }

  @Test func unknownDelaysAreDerivedFromTheTimes() throws {
    let source = try Self.pictures("derived_hevc10_1280x720_aac.mp4")
    let shown = try source.shown()
    #expect(shown.map(\.packet) == source.order.map(Int.init))
  }
}
