import Foundation
import TestSupport
import Testing

@Suite("Pipes, devices and folders of a batch", .timed) struct BatchPipesTests {
  /// Runs a batch with a timeout that kills it if it hangs.
  private func run(
    _ calls: BatchFolder, _ list: String, _ options: [String],
    meanwhile: (Process) -> Void = { _ in }
  ) throws -> Tool.Result {
    try Tool.run(
      "timeout",
      ["--foreground", "--kill-after=1", "120", TesseraTool.path, "batch", list, "--size", "64x36"]
        + ["--fps", "5", "--progress", "none"] + options, meanwhile: meanwhile)
  }

  @Test("Results go into a pipe line by line")
  func pipe() throws {
    let calls = try BatchFolder(calls: 1)
    let pipe = calls.path("pipe.jsonl")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: "/bin/sh")
    reader.arguments = ["-c", "cat '\(pipe)' > '\(calls.path("results.jsonl"))'"]
    try reader.run()
    let result = try run(calls, try calls.list([calls.line(1)]), ["--results", pipe])
    if result.status != 0 { reader.terminate() }
    reader.waitUntilExit()
    #expect(result.status == 0, "\(result)")
    #expect(try calls.exits() == ["job-1": 0])
  }

  /// True if a process has installed a handler for a signal.
  private func catches(_ signal: CInt, _ process: Process) -> Bool {
    let path = "/proc/\(process.processIdentifier)/status"
    let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?
      .split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    return (mask ?? 0) >> UInt64(signal - 1) & 1 == 1
  }

  @Test("A batch waits for an unread pipe until a signal", arguments: [SIGTERM, SIGINT])
  func stopped(signal: CInt) throws {
    let calls = try BatchFolder(calls: 1)
    let pipe = calls.path("pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let list = try calls.list([calls.line(1)])
    let result = try TesseraTool.run(
      ["batch", list, "--results", pipe, "--size", "64x36", "--progress", "none"]
    ) { process in
      while process.isRunning, !catches(signal, process) { usleep(5_000) }
      kill(process.processIdentifier, signal)
      // If the signal is ignored, the test fails instead of hanging.
      for _ in 0..<200 where process.isRunning { usleep(50_000) }
      kill(process.processIdentifier, SIGKILL)
    }
    #expect(result.status == (signal == SIGTERM ? 75 : 130), "\(result)")
    #expect(!calls.folder.names.contains("1.mp4"))
  }

  @Test("A full device is an error; a device that accepts everything works like a file")
  func devices() throws {
    let calls = try BatchFolder(calls: 1)
    let list = try calls.list([calls.line(1)])
    let full = try run(calls, list, ["--results", "/dev/full"])
    #expect(full.status == 75 && full.messages.contains("cannot write /dev/full: No space"))
    #expect(try run(calls, list, ["--results", "/dev/null"]).status == 0)
  }

  @Test(
    "A list must be a regular file",
    arguments: ["pipe.jsonl", "full.jsonl", "full.csv", "pipe.yaml"])
  func lists(name: String) throws {
    let calls = try BatchFolder(calls: 1)
    let list = calls.path(name)
    if name.hasPrefix("pipe") {
      try #require(unsafe mkfifo(list, 0o600) == 0)
    } else {
      try FileManager.default.createSymbolicLink(atPath: list, withDestinationPath: "/dev/full")
    }
    let result = try run(calls, list, [])
    #expect(result.status == 2 && result.messages.contains("it is not a regular file"), "\(result)")
  }

  @Test("Folders of outputs are created, and repeated slashes count as one")
  func folders() throws {
    let calls = try BatchFolder(calls: 2)
    let words = [
      "--output", calls.path("out//{name}/call.mp4"), "--results", calls.path("results.jsonl"),
    ]
    let first = try run(calls, calls.path("calls/"), words)
    #expect(first.status == 0, "\(first)")
    #expect(FileManager.default.fileExists(atPath: calls.path("out/2/call.mp4")))
    let again = try run(calls, calls.path("calls//"), words)
    #expect(again.text.contains("done before 2"), "\(again)")
    let lines = ["calls//1", "calls/1"].map {
      #"{"input": "\#(calls.path($0))", "output": "\#(calls.path("out/1/call.mp4"))"}"#
    }
    for line in lines {
      let listed = try run(calls, try calls.list([line]), [])
      #expect(listed.text.contains("done before 1"), "\(listed)")
    }
  }

  @Test("An error common to all jobs is reported once, before the first job")
  func wrongForAll() throws {
    let calls = try BatchFolder(calls: 3)
    try Data().write(to: URL(fileURLWithPath: calls.path("file")))
    for (words, sentence) in [
      (["--output", calls.path("file/{name}.mp4")], "file, is not a folder"),
      (
        ["--output", calls.path("out/{name}.mp4"), "--watermark", calls.path("logo.png")],
        "logo.png, which does not exist"
      ),
    ] {
      let result = try run(calls, calls.path("calls"), words)
      #expect(result.status == 2, "\(result)")
      #expect(result.messages.components(separatedBy: sentence).count == 2, "\(result)")
    }
    // Other jobs are not affected.
    let lost = calls.line(2).replacingOccurrences(of: "2.mp4", with: "file/2.mp4")
    let results = ["--results", calls.path("results.jsonl")]
    let one = try run(calls, try calls.list([calls.line(1), lost]), results)
    #expect(one.status == 4, "\(one)")
    #expect(try calls.exits() == ["job-1": 0, "job-2": 1])
  }

  @Test("Counts of outputs and bytes cover all files")
  func sizes() throws {
    let calls = try BatchFolder(calls: 1)
    let names = ["a.mp4", "web/master.m3u8", "thumbs", "poster.jpg"].map(calls.path)
    let line = """
      {"id": "a", "input": "\(calls.path("calls/1"))", "outputs": ["\(names[0])", \
      "\(calls.path("web/")):hls=96p", "\(names[2]):every=0.5", "\(names[3])"]}
      """
    let result = try run(calls, try calls.list([line]), ["--results", calls.path("results.jsonl")])
    #expect(result.status == 0, "\(result)")
    let outcome = try #require(try calls.results().first)
    #expect(outcome["outputs"] as? [String] == names)
    let files =
      try ["a.mp4", "poster.jpg"]
      + ["web", "thumbs"].flatMap { folder in
        try FileManager.default.subpathsOfDirectory(atPath: calls.path(folder))
          .map { "\(folder)/\($0)" }
      }
    let bytes = try files.reduce(0) { sum, name in
      let facts = try FileManager.default.attributesOfItem(atPath: calls.path(name))
      let isFile = facts[.type] as? FileAttributeType == .typeRegular
      return sum + (isFile ? facts[.size] as? Int ?? 0 : 0)
    }
    #expect(outcome["bytes"] as? Int == bytes)
  }
}
