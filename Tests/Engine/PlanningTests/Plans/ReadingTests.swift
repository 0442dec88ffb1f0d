import TesseraCodecs
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlanning

@Suite(.timed) struct ReadingTests {
  @Test("A scan's result passes unchanged through a process, including damage and errors")
  func results() throws {
    let temporary = try TemporaryFolder()
    let folder = try TaskExchangeFolder.make(in: temporary.path)
    let inputs = try HardCall.make(temporary) + [temporary.path("none.webm")]
    for (number, path) in inputs.enumerated() {
      let task = RecordingReadTask.probe(path)
      let result = try #require(
        task.result(
          0, note: nil, without: [], cancellation: Cancellation()))
      try folder.put(result: result, number)
      let back: RecordingReadResult = try #require(folder.result(number))
      switch (result, back) {
      case (.scan(let scan), .scan(let read)):
        #expect(scan.scan.file == read.scan.file && scan.scan.indexes == read.scan.indexes)
        #expect(scan.clocks == read.clocks)
      case (.unreadable(let error), .unreadable(let read)): #expect(error == read)
      default: Issue.record("\(path) changes")
      }
    }
  }
}
