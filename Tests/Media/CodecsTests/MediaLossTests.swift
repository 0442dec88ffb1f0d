import Foundation
import TesseraMessages
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

@Suite(.timed) struct MediaLossTests {
  private static let causes: [MediaLoss.Cause] = [
    .cutOff(missingBytes: 1), .cutOff(missingBytes: 20), .shrunk(missingBytes: 3),
    .stoppedEarly(nil), .stoppedEarly("partial file"), .damaged("partial file"),
    .undecodablePackets(1, nil), .undecodablePackets(4, "no frame"), .damagedPictures(1),
    .damagedPictures(2), .nothingDecodable("no decoder"), .wrongTimes(1), .wrongTimes(7),
    .missingKeyframe, .partlyDecoded(percent: 20), .anotherRecordingFollows,
  ]

  private static var streams: [StreamInfo?] {
    let stream = { (kind: StreamInfo.Kind) in
      StreamInfo(
        index: 0, kind: kind, codec: "vp8", isDecodable: true, isDefault: true,
        timeBase: Ratio(1, 1000))
    }
    return [nil, stream(.video), stream(.audio)]
  }

  @Test func everyLossHasAMessage() throws {
    for cause in Self.causes {
      for stream in Self.streams {
        let loss = MediaLoss(cause, stream, start: .zero, end: ExactTime(31, over: 10))
        let text = loss.description
        #expect(text.hasSuffix(".") && text.count { $0 == "." } < 4, "\(text)")
        #expect(text.split(separator: " ").count >= 4, "\(text)")
        #expect(!loss.code.isEmpty && !loss.code.contains(" "))
        let data = try JSONEncoder().encode(loss)
        #expect(try JSONDecoder().decode(MediaLoss.self, from: data) == loss)
      }
    }
  }

  @Test func singularAndPluralAreCorrect() {
    let text = { MediaLoss($0).description }
    #expect(text(.damagedPictures(1)) == "1 of its pictures is damaged.")
    #expect(text(.damagedPictures(2)) == "2 of its pictures are damaged.")
    #expect(text(.cutOff(missingBytes: 1)) == "the file is cut off, and lacks at least 1 byte.")
    #expect(text(.damaged("partial file")) == "a part of it is damaged (partial file).")
  }

  @Test func equalLossesAreAdded() {
    let stream = Self.streams[1]
    let sum = [MediaLoss(.damagedPictures(2), stream)].merged(with: [
      MediaLoss(.damagedPictures(3), stream), MediaLoss(.stoppedEarly(nil), stream),
    ])
    #expect(sum.map(\.cause) == [.damagedPictures(5), .stoppedEarly(nil)])
  }

  /// The messages of libav* that are understood, as libav* itself writes them.
  @Test func knownMessagesMatchTheLog() throws {
    let folder = try TemporaryFolder()
    let foreign = folder.path("a.wmv")
    try Tool.ffmpeg(TestRecording.pictures + ["-c:v", "wmv2", "-f", "asf", foreign])
    #expect(throws: MediaError(path: foreign, reason: .foreignFormat("Windows Media"))) {
      try MediaFileInfo.scan(foreign)
    }
    let noMovie = folder.path("b.mp4")
    try Data("some words that are no movie at all".utf8).write(to: URL(filePath: noMovie))
    #expect(throws: MediaError(path: noMovie, reason: .notAMediaFile)) {
      try MediaFileInfo.scan(noMovie)
    }
    let live = try TestRecording.chain(
      TestRecording.sound + ["-c:a", "libopus", "-live", "1"], "live.webm", in: folder)
    #expect(try MediaFileInfo.scan(live).file.losses.isEmpty)
    let words = FFmpegLog.refusedOption("Error parsing option 'x' = 'y'.")
    #expect(words == "x = y.")
  }

  @Test("Parts without a header and encrypted files are named as such") func parts() throws {
    let folder = try TemporaryFolder()
    func refuses(_ data: Data, _ name: String, _ reason: MediaError.Reason) throws {
      let path = folder.path(name)
      try data.write(to: URL(filePath: path))
      #expect(throws: MediaError(path: path, reason: reason)) { try MediaFileInfo.scan(path) }
    }
    let whole = folder.path("whole.webm")
    try Tool.ffmpeg(TestRecording.pictures + ["-c:v", "libvpx", whole])
    let bytes = try Data(contentsOf: URL(filePath: whole))
    // A browser's chunk: from the first cluster on.
    let cluster = try #require(bytes.range(of: Data([0x1f, 0x43, 0xb6, 0x75]))).lowerBound
    try refuses(bytes[cluster...], "part.webm", .part(isSegment: false))
    let movie = folder.path("movie.mp4")
    try Tool.ffmpeg(
      TestRecording.pictures + ["-c:v", "libx264", "-movflags", "+frag_keyframe+empty_moov", movie])
    let fragments = try Data(contentsOf: URL(filePath: movie))
    let fragment = try #require(fragments.range(of: Data("moof".utf8))).lowerBound - 4
    try refuses(fragments[fragment...], "segment.m4s", .part(isSegment: true))
    // An initialization segment beside the file is read before it; with two of them the right one
    // is unknown.
    let segment = folder.path("segment.m4s")
    for name in ["init.mp4", "other.mp4"] {
      try fragments[..<fragment].write(to: URL(filePath: folder.path(name)))
      let file = try? MediaFileInfo.scan(segment).file
      #expect(file?.tracks(.video).count == (name == "init.mp4" ? 1 : nil), "\(name)")
    }
    #expect(MovieBoxParser.initialization(of: whole) == nil)
    let key = "00112233445566778899aabbccddeeff"
    try Tool.ffmpeg(
      TestRecording.pictures + [
        "-c:v", "libx264", "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key,
        "-encryption_kid", key, movie,
      ])
    try refuses(try Data(contentsOf: URL(filePath: movie)), "encrypted.mp4", .encrypted)
  }

  @Test func anUnsupportedFormatIsNamed() {
    let error = MediaError(path: "a.mxf", reason: .foreignFormat("MXF"))
    #expect(error.description.contains("MXF is a format that Tessera does not read"))
  }
}
