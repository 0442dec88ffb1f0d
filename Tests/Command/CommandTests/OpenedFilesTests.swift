import Foundation
import TestSupport
import Testing

/// The files that the processes of a render with names and images open.
@Suite(.timed) struct OpenedFilesTests {
  private static let hasCompiler = (try? Tool.run("cc", ["--version"]))?.status == 0

  /// The command line of one process, and the files that it opened.
  private struct Process {
    let arguments: String
    let files: [String]

    /// True if one of the files is a font or a font index.
    var opensFonts: Bool {
      files.contains { path in
        path.contains("font") || [".ttf", ".otf", ".ttc"].contains { path.hasSuffix($0) }
      }
    }

    func opens(_ ending: String) -> Bool { files.contains { $0.hasSuffix(ending) } }
  }

  /// Renders a call with `render`'s arguments, and returns its processes.
  private func processes(
    _ folder: TemporaryFolder, _ arguments: [String]
  ) throws -> (result: Tool.Result, processes: [Process]) {
    let source = SourceTree.path("Tests/Support/OpenTrace/open_trace.c")
    let (library, traces) = (folder.path("trace.so"), folder.path("traces"))
    let compiled = try Tool.run(
      "cc", ["-shared", "-fPIC", "-O1", "-w", "-o", library, source, "-ldl"])
    #expect(compiled.status == 0, "\(compiled.messages)")
    try FileManager.default.createDirectory(atPath: traces, withIntermediateDirectories: true)
    let result = try Tool.run(
      "env",
      ["LD_PRELOAD=\(library)", "TESSERA_OPEN_TRACE=\(traces)", TesseraTool.path] + arguments)
    let processes = try FileManager.default.contentsOfDirectory(atPath: traces).map { name in
      let lines = try String(contentsOfFile: traces + "/" + name, encoding: .utf8)
        .split(separator: "\n").map(String.init)
      return Process(arguments: lines.first ?? "", files: Array(lines.dropFirst()))
    }
    return (result, processes)
  }

  @Test(
    "Only planning opens fonts and images",
    .enabled(if: hasCompiler, "there is no C compiler"))
  func opened() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, "clip.webm", seconds: 7)
    for (name, size) in [
      ("avatar.png", "64x64"), ("slide.png", "320x180"), ("mark.png", "32x32"),
      ("back.png", "160x96"),
    ] {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc=s=\(size)", "-frames:v", "1", folder.path(name),
      ])
    }
    let session = folder.path("call.yaml")
    let call = """
      version: 1
      participants:
        - { id: ada, name: Ada أدا 👩‍🚀, tracks: [ { file: clip.webm } ] }
        - { id: ben, name: Ben, avatar: avatar.png, tracks: [ { file: clip.webm, kind: microphone } ] }
        - { id: eve, name: Eve, tracks: [ { file: slide.png, kind: still } ] }
      """
    try Data(call.utf8).write(to: URL(fileURLWithPath: session))
    let images = ["avatar.png", "slide.png", "mark.png", "back.png"]
    let (result, processes) = try processes(
      folder,
      [
        "render", session, "-o", folder.path("out.mp4"), "--size", "320x192", "--progress", "none",
        "--watermark", folder.path("mark.png"), "--background", folder.path("back.png"),
        "--title-card", "Ada", "--clock", "--jobs", "2",
      ])
    #expect(result.status == 0, "\(result)")
    let renders = { (process: Process) in process.arguments.contains(" worker {\"render\"") }
    let workers = processes.filter(renders)
    let planners = processes.filter { !renders($0) }
    #expect(workers.contains { $0.arguments.contains("segments") })
    #expect(planners.contains { $0.opensFonts })
    for image in images { #expect(planners.contains { $0.opens(image) }, "\(image)") }
    for worker in workers {
      #expect(!worker.opensFonts, "\(worker)")
      for image in images { #expect(!worker.opens(image), "\(worker)") }
    }
    #expect(workers.contains { $0.opens("clip.webm") })
  }
}
