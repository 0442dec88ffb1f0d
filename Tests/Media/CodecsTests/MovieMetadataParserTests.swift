import Foundation
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

@Suite(.timed) struct MovieMetadataParserTests {
  /// Writes a fragmented movie like Chromium's: both tracks count from 0, although the pictures
  /// started 2.5 s after the sound.
  private static func make(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path("chromium.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=6", "-f", "lavfi", "-i", "sine=440:d=6",
      "-c:v", "libx264", "-bf", "0", "-g", "25", "-c:a", "aac", "-fflags",
      "+bitexact", "-movflags", "empty_moov+default_base_moof+frag_keyframe", "-metadata:s:v",
      "title=Ada", path,
    ])
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    bytes.replaceSubrange(8..<12, with: "isom".utf8)
    bytes.replaceSubrange(16..<28, with: "isomiso6iso2".utf8)
    // The tracks alternate, pictures first; times have 64 bits.
    let boxes = bytes.indices.dropLast(16).filter {
      bytes[$0..<($0 + 4)].elementsEqual("tfdt".utf8)
    }
    for (number, box) in boxes.enumerated() where number > 1 && number % 2 == 1 {
      let place = (box + 8)..<(box + 16)
      let ticks = bytes[place].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } + 44100 * 5 / 2
      let digits = (0..<8).map { UInt8(truncatingIfNeeded: ticks >> (56 - 8 * UInt64($0))) }
      bytes.replaceSubrange(place, with: digits)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func picturesKeepTheirStart() throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(folder)
    let movie = MovieMetadataParser(path, withFragments: true)
    #expect(movie.tracks.map(\.handler) == ["vide", "soun"])
    #expect(movie.tracks.map(\.name) == ["Ada", ""])
    let delay = try #require(movie.pictureDelay)
    #expect(abs(delay.seconds - 2.5) < 0.05)
    let file = try MediaFileInfo.scan(path).file
    let (picture, sound) = (
      try #require(file.tracks(.video).first), try #require(file.tracks(.audio).first)
    )
    #expect(abs((picture.start - sound.start).seconds - 2.5) < 0.05)
    #expect(abs(picture.end.seconds - 8.5) < 0.1)
  }

  @Test func otherFilesAreNoMovies() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a")
    for bytes: [UInt8] in [
      [], [0, 0, 0, 8], Array("\0\0\0\u{8}moov".utf8), Array(repeating: 7, count: 99),
    ] {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let movie = MovieMetadataParser(path, withFragments: true)
      #expect(movie.tracks.isEmpty && movie.pictureDelay == nil)
    }
  }
}
