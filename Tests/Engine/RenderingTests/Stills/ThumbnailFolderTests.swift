import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Sheets of small pictures beside a video, with their cues.
@Suite(.timed) struct ThumbnailFolderTests {
  /// Returns the folder of a video of 27 s at 25 frames/s, whose pictures all differ.
  private func video(_ folder: TemporaryFolder) throws -> ThumbnailFolder {
    let path = folder.path("call.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=27", "-c:v", "libx264", "-preset",
      "veryfast", "-crf", "12", "-g", "125", path,
    ])
    let size = ThumbnailFolder.pictureSize(of: PixelSize(width: 640, height: 360))
    return ThumbnailFolder(
      of: try Planner.pictures(
        of: path, size: size, at: try #require(FrameRate(25, 1)), readers: nil,
        cancellation: Cancellation()),
      every: MediaTime(seconds: 1))
  }

  private struct Cue {
    var from: Double
    var to: Double
    var sheet: String
    var place: [Int]
  }

  private func cues(_ path: String) throws -> [Cue] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("WEBVTT\n\nNOTE Tessera "))
    let blocks = text.components(separatedBy: "\n\n").filter { $0.contains(" --> ") }
    return try blocks.map { block in
      let lines = block.split(separator: "\n")
      let times = lines[0].components(separatedBy: " --> ").compactMap { MediaTime($0)?.seconds }
      let address = lines[1].components(separatedBy: "#xywh=")
      try #require(lines.count == 2 && times.count == 2 && address.count == 2)
      return Cue(
        from: times[0], to: times[1], sheet: address[0],
        place: address[1].split(separator: ",").compactMap { Int($0) })
    }
  }

  /// Returns a gray picture of 64×36 pixels that a filter produces from a file.
  private func gray(_ path: String, _ filter: String, from time: Double = 0) throws -> [UInt8] {
    Array(
      try Tool.ffmpeg([
        "-ss", "\(time)", "-i", path, "-frames:v", "1", "-vf",
        "\(filter)scale=64:36:flags=area,format=gray", "-f", "rawvideo", "-",
      ]))
  }

  private func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
    Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, a.count))
  }

  @Test("The picture at every cue is the video's frame at that time")
  func cues() throws {
    let folder = try TemporaryFolder()
    let thumbnails = try video(folder)
    let path = folder.path("thumbs")
    try thumbnails.write(
      to: path, protecting: [], readers: nil, cancellation: Cancellation())
    #expect(
      FileOperations.names(in: path) == ["sheet-001.jpg", "sheet-002.jpg", "thumbnails.vtt"])
    let cues = try cues("\(path)/thumbnails.vtt")
    #expect(cues.map(\.from) == (0..<27).map { Double($0) })
    #expect(cues.map(\.to) == (1...27).map { Double($0) })
    #expect(Set(cues.map(\.sheet)).count == 2)
    for number in [0, 1, 7, 24, 25, 26] {
      let cue = cues[number]
      let crop = "crop=\(cue.place[2]):\(cue.place[3]):\(cue.place[0]):\(cue.place[1]),"
      let picture = try gray("\(path)/\(cue.sheet)", crop)
      let frames = try [-0.04, 0, 0.04].map {
        try gray(folder.path("call.mp4"), "", from: max(0, cue.from + $0))
      }
      let differences = frames.map { difference(picture, $0) }
      #expect(differences[1] < 2.5, "\(number): \(differences)")
      #expect(differences[1] == differences.min(), "\(number): \(differences)")
    }
  }

  @Test("The folder is replaced by another thumbnail folder only")
  func replaced() throws {
    let folder = try TemporaryFolder()
    var thumbnails = try video(folder)
    let path = folder.path("thumbs")
    let write = {
      try thumbnails.write(
        to: path + "/", protecting: [], readers: nil, cancellation: Cancellation())
    }
    try write()
    thumbnails.interval = MediaTime(seconds: 10)
    try write()
    #expect(FileOperations.names(in: path) == ["sheet-001.jpg", "thumbnails.vtt"])
    try Data().write(to: URL(fileURLWithPath: "\(path)/notes.txt"))
    #expect(throws: RenderError.self) { try write() }
    #expect(FileOperations.names(in: path).count == 3)
    #expect(folder.names.sorted() == ["call.mp4", "thumbs"])
  }
}
