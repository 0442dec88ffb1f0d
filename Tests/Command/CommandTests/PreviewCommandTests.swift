import Foundation
import TestSupport
import Testing

@Suite(.timed) struct PreviewCommandTests {
  /// The preview equals the frame of a lossless render at that time.
  @Test func thePreviewEqualsTheRendersFrame() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let (movie, still) = (folder.path("a.mp4"), folder.path("a.png"))
    let picture = ["--size", "320x180", "--layout", "multiparty"]
    let rendered = try TesseraTool.run(
      ["render", clip, clip, "-o", movie, "--crf", "0"]
        + picture)
    #expect(rendered.status == 0, "\(rendered.messages)")
    let drawn = try TesseraTool.run(
      ["preview", clip, clip, "--at", "0.99", "-o", still] + picture)
    #expect(drawn.status == 0 && drawn.text == still + "\n")
    let flags =
      "flags=accurate_rnd+bitexact+full_chroma_int+full_chroma_inp:in_color_matrix=bt709"
      + ":in_h_chr_pos=0:in_v_chr_pos=128"
    let frame = try Tool.ffmpeg([
      "-i", movie, "-vf", "select=eq(n\\,29),scale=\(flags)", "-frames:v", "1", "-pix_fmt",
      "rgb24", "-f", "rawvideo", "-",
    ])
    let preview = try Tool.ffmpeg(["-i", still, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
    #expect(frame.count == 320 * 180 * 3 && frame.count == preview.count)
    let largest = zip(frame, preview).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(largest <= 3)
  }

  @Test func aSheetContainsAllItsPictures() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let sheet = folder.path("sheet.png")
    let result = try TesseraTool.run([
      "preview", clip, "--every", "0.5", "--sheet", "-o", sheet, "--size", "320x180",
    ])
    #expect(result.status == 0)
    let probed = try Probed(sheet)
    // Four pictures of 320x180 in two columns, four pixels apart.
    #expect(probed.video?.width == 2 * 324 + 4 && probed.video?.height == 2 * 184 + 4)
  }

  /// A decoding error in the displayed picture is reported.
  @Test func aDamagedPictureIsALoss() throws {
    let folder = try TemporaryFolder()
    let damaged = folder.path("damaged.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=2", "-c:v", "libx264", "-bf", "0", "-bsf:v",
      "noise=amount=if(gte(n\\,20)\\,30\\,0)", damaged,
    ])
    let still = folder.path("x.png")
    let result = try TesseraTool.run(["preview", damaged, "--at", "1.5", "-o", still])
    #expect(result.status == 3 && result.messages.contains("warning: \(damaged): "))
  }

  @Test func aTimePastTheEndIsRefused() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let result = try TesseraTool.run(["preview", clip, "--at", "9", "-o", folder.path("x.png")])
    #expect(result.status == 2 && result.messages.contains("past the end"))
  }
}
