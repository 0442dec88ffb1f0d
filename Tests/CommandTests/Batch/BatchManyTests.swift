import Foundation
import TesseraJobs
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraCommand

@Suite("A batch loses no job and does not grow") struct BatchManyTests {
  @Test("Many short jobs end with errors of their own, where few files may be open")
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

  @Test("What it needs is said at the start")
  func tooFewFiles() throws {
    let calls = try BatchFolder(calls: 1)
    let list = try calls.list([calls.line(1)])
    let result = try Tool.run(
      "sh", ["-c", "ulimit -n 40 && exec \"$0\" \"$@\"", TesseraTool.path, "batch", list])
    #expect(result.status == 1 && result.messages.contains("ulimit -n"), "\(result)")
  }

  @Test("A job that dies is tried again, and what it has said counts")
  func ends() {
    func end(_ process: ChildProcess.End, _ exit: Int32? = nil) -> Coordinator.End {
      Coordinator.End(process: process, result: exit.map { Terminal.Result(exit: $0) })
    }
    // As where nobody shares out slots any more, without a word.
    let lost = end(.exit(143))
    #expect(lost.mayPass && lost.code == 143 && lost.error.contains("exit code 143"))
    let killed = end(.signal(SIGKILL))
    #expect(killed.mayPass && killed.code == 137 && killed.error.contains("signal 9"))
    #expect(!end(.exit(1), 1).mayPass && end(.exit(75), 75).mayPass)
    // It had an error of its own, and died on its way out.
    var failed = end(.exit(143), 1)
    failed.result?.error = "no recording"
    #expect(!failed.mayPass && failed.code == 1 && failed.error == "no recording")
  }

  @Test("A request that is heard after the end of its job takes no slot")
  func lateRequest() throws {
    let server = SlotServer(slots: 1, memory: 1 << 30)
    let ends = [try server.connect(1), try server.connect(2)]
    server.hear(.request(id: 1, memory: 1), of: 1)
    #expect(server.busy == 1 && server.begin(of: 1) != nil)
    server.disconnect(1)
    server.hear(.request(id: 2, memory: 1), of: 1)
    #expect(server.busy == 0 && server.begin(of: 1) == nil)
    server.hear(.request(id: 1, memory: 1), of: 2)
    #expect(server.busy == 1)
    withExtendedLifetime(ends) {}
  }
}
