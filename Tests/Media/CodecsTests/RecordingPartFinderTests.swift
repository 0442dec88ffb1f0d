import Foundation
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

/// Recordings of a browser that were stored in the chunks of its MediaRecorder.
@Suite(.timed) struct RecordingPartFinderTests {
  /// Writes `data` in parts that end at `cuts`, as `part-000.webm` and following.
  private func write(_ data: Data, _ cuts: [Int], in folder: TemporaryFolder) throws -> [String] {
    try zip([0] + cuts, cuts + [data.count]).enumerated().map { number, range in
      let path = folder.path(String(format: "part-%03d.webm", number))
      try data[range.0..<range.1].write(to: URL(filePath: path))
      return path
    }
  }

  private func recording(_ options: [String], in folder: TemporaryFolder) throws -> Data {
    let path = folder.path("whole.webm")
    try Tool.ffmpeg(
      TestRecording.pictures + ["-c:v", "libvpx", "-g", "10", "-cluster_time_limit", "300"]
        + options + [path])
    return try Data(contentsOf: URL(filePath: path))
  }

  @Test("Parts without headers are read after the first one, wherever they were cut")
  func parts() throws {
    let folder = try TemporaryFolder()
    let data = try recording(["-live", "1"], in: folder)
    let whole = try MediaFileInfo.scan(folder.path("whole.webm")).file
    let third = data.count / 3
    for cuts in [[third, 2 * third], [third], [third, third + 7, 2 * third + 1]] {
      let parts = try write(data, cuts, in: folder)
      #expect(RecordingPartFinder.following(parts[0]) == Array(parts[1...]))
      #expect(RecordingPartFinder.following(parts[1]).isEmpty)
      #expect(SegmentedFile.files(of: parts[0]) == parts)
      let file = try MediaFileInfo.scan(parts[0]).file
      #expect(file.losses.isEmpty && file.notes == whole.notes)
      #expect(file.tracks.map(\.packets) == whole.tracks.map(\.packets))
      #expect(file.tracks.map(\.end) == whole.tracks.map(\.end))
      #expect(file.identity.byteCount == Int64(data.count))
      for part in parts { try FileManager.default.removeItem(atPath: part) }
    }
  }

  @Test("A recording in parts has another identity when one of them changes")
  func identity() throws {
    let folder = try TemporaryFolder()
    let data = try recording(["-live", "1"], in: folder)
    let parts = try write(data, [data.count / 2], in: folder)
    let before = FileIdentity(parts[0])
    try data[(data.count / 2)..<(data.count - 1)].write(to: URL(filePath: parts[1]))
    let after = FileIdentity(parts[0])
    #expect(before != after && after?.byteCount == Int64(data.count - 1))
  }

  @Test("Files that may be recordings of their own are not taken for parts")
  func others() throws {
    let folder = try TemporaryFolder()
    let data = try recording(["-live", "1"], in: folder)
    let half = data.count / 2
    // The first part is missing a number, or is a part itself.
    let parts = try write(data, [half], in: folder)
    let renamed = folder.path("part-002.webm")
    try FileManager.default.moveItem(atPath: parts[1], toPath: renamed)
    #expect(
      RecordingPartFinder.following(parts[0]).isEmpty
        && RecordingPartFinder.following(renamed).isEmpty)
    // Another recording, also if its header is destroyed.
    try data.write(to: URL(filePath: parts[1]))
    #expect(RecordingPartFinder.following(parts[0]).isEmpty)
    try (Data(repeating: 0x55, count: 64) + data[64...]).write(to: URL(filePath: parts[1]))
    #expect(RecordingPartFinder.following(parts[0]).isEmpty)
    // A recording whose header states its size is complete.
    _ = try write(recording([], in: folder), [], in: folder)
    try data[half...].write(to: URL(filePath: parts[1]))
    #expect(RecordingPartFinder.following(parts[0]).isEmpty)
  }
}
