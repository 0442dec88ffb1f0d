import TesseraCodecs
import TesseraTimeline
import TestSupport
import Testing

/// The start of a file whose sound begins shortly before its pictures.
@Suite(.timed) struct EncoderDelayTests {
  /// Returns the delays of pictures and sound relative to the file's beginning.
  private static func starts(
    _ name: String, _ options: [String]
  ) throws -> (picture: Double, sound: Double) {
    let folder = try TemporaryFolder()
    let path = folder.path(name)
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=1", "-f", "lavfi", "-i", "sine=r=48000:d=1",
      ] + options + [path])
    let file = try MediaFileInfo.scan(path).file
    let picture = try #require(file.tracks(.video).first?.start.seconds)
    return (picture, try #require(file.tracks(.audio).first?.start.seconds))
  }

  private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast"]

  @Test(arguments: ["a.mkv", "a.ts", "a.flv", "a.mp4"]) func encoderDelayIsNotCountedAsSound(
    name: String
  ) throws {
    let (picture, sound) = try Self.starts(name, Self.h264 + ["-c:a", "aac"])
    #expect(picture == 0 && abs(sound) < 0.001)
  }

  /// Sound that begins earlier than the encoder delay is real sound.
  @Test(arguments: ["a.mkv", "a.ts"]) func realSoundIsKept(name: String) throws {
    let delay = ["-vf", "setpts=PTS+0.04/TB", "-fps_mode", "passthrough"]
    let (picture, sound) = try Self.starts(name, delay + Self.h264 + ["-c:a", "aac"])
    #expect(abs(picture - 0.061) < 0.002 && sound == 0)
  }
}
