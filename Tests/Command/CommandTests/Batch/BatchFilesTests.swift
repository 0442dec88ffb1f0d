import Foundation
import TestSupport
import Testing

/// A batch never writes a file that it reads.
@Suite("Files of a batch", .timed) struct BatchFilesTests {
  private func data(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test("Results are appended to a results file only; any other file stays unchanged")
  func results() throws {
    let calls = try BatchFolder(calls: 1)
    // The list's last line has no newline.
    let list = calls.path("jobs.jsonl")
    try Data(calls.line(1).utf8).write(to: URL(fileURLWithPath: list))
    let recording = calls.path("calls/1/ada.webm")
    let foreign = calls.path("notes.jsonl")
    try Data("{\"id\": \"1\"}\nnotes".utf8).write(to: URL(fileURLWithPath: foreign))
    let text = calls.path("text.txt")
    try Data("no line end".utf8).write(to: URL(fileURLWithPath: text))
    let link = calls.path("link.jsonl")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: list)
    for (path, words) in [
      (recording, "is not the result of a job"), (list, "also the list of jobs"),
      (link, "also the list of jobs"), (foreign, "line 1, is not the result of a job"),
      (text, "line 1, is not the result of a job"),
      (calls.path("1.mp4"), "is the file of results, too"),
    ] {
      let before = try? data(path)
      let result = try calls.run(list, ["--results", path])
      #expect(result.status == 2 && result.messages.contains(words), "\(path): \(result.messages)")
      let after = try? data(path)
      #expect(after == before)
    }
    let metrics = try calls.run(list, ["--metrics", list, "--overwrite"])
    #expect(metrics.status == 2 && metrics.messages.contains("also the list of jobs"))
    #expect(!calls.folder.names.contains("1.mp4"))
  }

  @Test("A torn last line is removed; a complete one without a newline stays")
  func tornResults() throws {
    let calls = try BatchFolder(calls: 1)
    let (list, path) = (try calls.list([calls.line(1)]), calls.path("results.jsonl"))
    let whole = #"{"attempts":1,"exit":1,"id":"old","outputs":[]}"#
    for (before, kept) in [
      (whole + "\n" + #"{"attempts":1,"ex"#, [whole]), (whole, [whole]), (#"{"att"#, []),
      (whole + "\n", [whole]),
    ] {
      try Data(before.utf8).write(to: URL(fileURLWithPath: path))
      let result = try calls.run(list, ["--results", path])
      #expect(result.status == 0, "\(result.messages)")
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(lines.dropLast().map(String.init) == kept && lines.last?.contains("job-1") == true)
    }
  }

  @Test("No output is another job's input, or another output through a linked folder")
  func crossed() throws {
    let calls = try BatchFolder(calls: 3)
    let recording = calls.path("calls/2/ada.webm")
    let before = try data(recording)
    try FileManager.default.linkItem(atPath: recording, toPath: calls.path("hard.webm"))
    try FileManager.default.createSymbolicLink(
      atPath: calls.path("link"), withDestinationPath: calls.path(""))
    func job(_ id: String, _ input: String, _ output: String, _ more: String = "") -> String {
      #"{"id": "\#(id)", "input": "\#(calls.path(input))", "output": "\#(calls.path(output))"\#(more)}"#
    }
    let linked = job("b", "calls/3", "link/a.mp4")
    for (lines, words) in [
      (
        [job("a", "calls/1", "hard.webm"), job("b", "calls/2/ada.webm", "b.mp4")],
        "is the output of job 1"
      ),
      (
        [job("b", "calls/2/ada.webm", "b.mp4"), job("a", "calls/1", "link/hard.webm")],
        "hard.webm is an input of job 1"
      ),
      (
        [job("b", "calls/2", "b.mp4"), job("a", "calls/1", "calls/2/ada.webm")],
        "ada.webm is an input of job 1"
      ),
      ([job("a", "calls/1", "a.mp4"), linked], "a.mp4 is that of job 1, too"),
      (
        [
          job("a", "calls/1", "a.mp4", #", "stems": "s""#),
          job("b", "calls/3", "b.mp4", #", "stems": "s""#),
        ],
        "the output s is that of job 1, too"
      ),
    ] {
      let result = try calls.run(try calls.list(lines), ["--overwrite"])
      #expect(result.status == 2 && result.messages.contains(words), "\(words)\n\(result.messages)")
    }
    #expect(try data(recording) == before)
    #expect(!calls.folder.names.contains("b.mp4"))
  }

  @Test("Results may go to a pipe, from which nothing is read")
  func pipe() throws {
    let calls = try BatchFolder(calls: 1)
    let list = try calls.list([calls.line(1)])
    let script = """
      mkfifo pipe; cat pipe > read & "$0" batch "$1" --results pipe --size 64x36 --fps 5; wait
      """
    let result = try Tool.run(
      "bash", ["-c", "cd \"$2\"; " + script, TesseraTool.path, list, calls.path("")])
    #expect(try calls.exits("read") == ["job-1": 0], "\(result)")
  }
}
