import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraCommand

@Suite("Large batches", .timed) struct BatchManyTests {
  @Test("With few open files, many short jobs end with their own errors")
  func fewFiles() throws {
    let calls = try BatchFolder(calls: 1)
    let count = 72
    let lines = (1...count).map { number in
      number % 12 == 1
        ? calls.line(1).replacingOccurrences(of: "job-1", with: "\(number)")
          .replacingOccurrences(of: "1.mp4", with: "\(number).mp4")
        : #"{"id": "\#(number)", "input": "none-\#(number)", "output": "\#(calls.path("\(number).mp4"))"}"#
    }
    let list = try calls.list(lines)
    let result = try Tool.run(
      "sh",
      [
        "-c", "ulimit -n 90 && exec \"$0\" \"$@\"", TesseraTool.path, "batch", list, "--size",
        "64x36", "--fps", "5", "--progress", "none", "--jobs", "2", "--results",
        calls.path("results.jsonl"),
      ])
    #expect(result.status == 4, "\(result)")
    let results = try calls.results()
    #expect(results.count == count)
    for line in results {
      let number = Int(line["id"] as? String ?? "") ?? 0
      if number % 12 == 1 {
        #expect(line["exit"] as? Int == 0, "\(line)")
      } else {
        let error = line["error"] as? String ?? ""
        #expect(line["exit"] as? Int == 1 && error.contains("none-\(number)"), "\(line)")
      }
    }
  }

  @Test("The needed number of open files is reported at the start")
  func tooFewFiles() throws {
    let calls = try BatchFolder(calls: 1)
    let list = try calls.list([calls.line(1)])
    let result = try Tool.run(
      "sh", ["-c", "ulimit -n 40 && exec \"$0\" \"$@\"", TesseraTool.path, "batch", list])
    #expect(result.status == 1 && result.messages.contains("ulimit -n"), "\(result)")
  }
}
