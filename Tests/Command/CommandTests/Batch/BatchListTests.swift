import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraBatch

@Suite("Lists of a batch", .timed) struct BatchListTests {
  /// Returns a list that can be opened but not read: memory at address 0.
  private func unreadable(_ folder: TemporaryFolder) throws -> String {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("jobs.jsonl"), withDestinationPath: "/proc/self/mem")
    return folder.path("jobs.jsonl")
  }

  @Test("A list that cannot be read to its end is an error") func unread() throws {
    let folder = try TemporaryFolder()
    let path = try unreadable(folder)
    let lines = try LineReader(path)
    #expect(lines.next() == nil && lines.failure?.number == EIO)
    let result = try TesseraTool.run(["batch", path])
    #expect(result.status == 1, "\(result)")
    #expect(result.messages.contains("cannot read the list of jobs \(path) to its end: "))
  }

  @Test("A session file found in a folder names files below it; a listed one names any")
  func confined() throws {
    let calls = try BatchFolder(calls: 1)
    func session(_ file: String) -> Data {
      Data(#"{"version": 1, "participants": [{"id": "a", "tracks": [{"file": "\#(file)"}]}]}"#.utf8)
    }
    for (name, file) in [
      ("below", "1/ada.webm"), ("absolute", calls.path("calls/1/ada.webm")),
      ("out", "../calls/1/ada.webm"), ("address", "https://127.0.0.1:9/a.webm"),
    ] {
      try session(file).write(to: URL(fileURLWithPath: calls.path("calls/\(name).json")))
    }
    let found = try calls.run(
      calls.path("calls"),
      ["--output", calls.path("{name}.mp4"), "--results", calls.path("results.jsonl")])
    #expect(found.status == 4, "\(found)")
    #expect(
      try calls.exits() == ["1": 0, "below": 0, "absolute": 1, "out": 1, "address": 1],
      "\(found.messages)")
    let errors = try calls.results().compactMap { $0["error"] as? String }.sorted()
    #expect(errors.count == 3 && errors.count { $0.contains("leads out of the folder") } == 2)
    #expect(errors.count { $0.contains("names addresses") } == 1)
    let lines = ["absolute", "out"].map {
      #"{"input": "\#(calls.path("calls/\($0).json"))", "output": "\#(calls.path("named-\($0).mp4"))"}"#
    }
    let named = try calls.run(try calls.list(lines))
    #expect(named.status == 0, "\(named)")
  }
}
