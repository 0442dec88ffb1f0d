import Foundation
import Glibc
import TestSupport
import Testing

/// Names of pipes, devices and other special files.
@Suite(.timed) struct NamedFilesTests {
  /// Runs `tessera` with a timeout; the exit code of a hang is 124.
  private func run(_ arguments: [String]) throws -> Tool.Result {
    try Tool.run("timeout", ["-k", "1", "60", TesseraTool.path] + arguments)
  }

  @Test("A pipe is refused as any input, without waiting")
  func pipe() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    for name in ["pipe", "pipe.yaml", "pipe.vtt"] {
      #expect(unsafe mkfifo(folder.path(name), 0o600) == 0)
    }
    let (pipe, output) = (folder.path("pipe"), ["-o", folder.path("out.mp4")])
    for arguments in [
      ["inspect", pipe], ["inspect", folder.path("pipe.yaml")],
      ["render", pipe] + output, ["render", folder.path("pipe.yaml")] + output,
      ["render", clip, "--theme", pipe] + output, ["render", clip, "--people", pipe] + output,
      ["render", clip, "--captions", folder.path("pipe.vtt")] + output,
      ["render", clip, "--background", pipe] + output,
      ["segment", pipe, "--work-dir", folder.path("work"), "--index", "0"],
    ] {
      let result = try run(arguments)
      #expect([1, 2].contains(result.status), "\(arguments) \(result)")
      #expect(result.messages.contains("pipe"), "\(arguments) \(result)")
    }
  }

  @Test(
    "A user's file named like a page map is left alone", arguments: ["threads", "processes"])
  func maps(executor: String) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let url = URL(fileURLWithPath: clip + ".map")
    for map in [Data(), Data(repeating: 0, count: 4096)] {
      try map.write(to: url)
      let result = try run([
        "render", clip, "-o", folder.path("out.mp4"), "--executor", executor, "--size", "64x48",
      ])
      #expect(result.status == 0, "\(result)")
      #expect(try Data(contentsOf: url) == map)
    }
  }

  @Test("An unreadable file is a loss of its person, and does not end the render")
  func losses() throws {
    let folder = try TemporaryFolder()
    let root = folder.path("root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let clip = try TesseraTool.makeClip(folder, "root/a.webm")
    let elsewhere = try TesseraTool.makeClip(folder, "elsewhere.webm")
    #expect(unsafe mkfifo(folder.path("root/pipe.webm"), 0o600) == 0)
    let link = folder.path("root/link.webm")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: elsewhere)
    let result = try run([
      "render", clip, link, folder.path("root/pipe.webm"), "/dev/stdin", "--root", root, "-o",
      folder.path("out.mp4"), "--size", "160x96", "--progress", "none",
    ])
    #expect(result.status == 3, "\(result)")
    #expect(result.messages.contains("\(link): "))
    #expect(result.messages.contains("is outside of --root \(root)"), "\(result)")
    #expect(result.messages.contains("pipe.webm: it is not a regular file"), "\(result)")
    #expect(!result.messages.contains("a worker does not begin"))
    #expect(try Probed(folder.path("out.mp4")).video?.nb_frames == "60")
  }

  @Test("An archive in the folder of --root is rendered, one outside of it is not")
  func archives() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "a.webm")
    for name in ["root", "elsewhere"] {
      let path = folder.path(name)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let made = try Tool.run(
        "/usr/bin/python3", ["-m", "zipfile", "-c", "\(path)/call.zip", clip])
      #expect(made.status == 0)
      let result = try run([
        "render", "\(path)/call.zip", "--root", folder.path("root"), "-o", folder.path("out.mp4"),
        "--size", "160x96", "--overwrite", "--progress", "none",
      ])
      #expect(result.status == (name == "root" ? 0 : 1), "\(result)")
      let refusal = "\(path)/call.zip: it, or the target of its link, is outside of --root"
      #expect(result.messages.contains(refusal) == (name != "root"), "\(result)")
    }
  }

  @Test("An address space that is too small is reported at once")
  func addresses() throws {
    let command = "ulimit -v 400000; exec '\(TesseraTool.path)' layout grid --count 2 --json"
    let result = try Tool.run("timeout", ["-s", "KILL", "60", "bash", "-c", command])
    #expect(result.status == 1, "\(result)")
    #expect(result.messages.contains("(ulimit -v), too few"), "\(result)")
  }

  @Test("A file without read permission is a loss")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let (clip, other) = (
      try TesseraTool.makeClip(folder), try TesseraTool.makeClip(folder, "b.webm")
    )
    #expect(unsafe chmod(other, 0) == 0)
    let words = [
      "render", clip, other, "-o", folder.path("out.mp4"), "--size", "160x96", "--progress", "none",
    ]
    // Root can read every file unless it drops that capability.
    let result =
      geteuid() != 0
      ? try run(words)
      : try Tool.run(
        "setpriv", ["--bounding-set=-dac_override,-dac_read_search", TesseraTool.path] + words)
    #expect(result.status == 3, "\(result)")
    #expect(result.messages.contains("b.webm: Permission denied"), "\(result)")
  }
}
