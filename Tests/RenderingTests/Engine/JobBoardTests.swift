import TesseraMedia
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraRendering

@Suite struct JobBoardTests {
  private static let kill = Death(manner: "signal 9")
  private static func crash(_ track: Int, phase: CrashNote.Phase = .decoding) -> Death {
    Death(
      manner: "signal 11",
      blame: CrashNote.Blame(phase: phase, track: track, time: 5, signal: 11))
  }

  private func start(_ board: inout JobBoard) throws -> JobBoard.Assignment {
    let next = board.next()
    return try #require(next)
  }

  /// The next job dies, and nothing follows from that.
  private func die(_ board: inout JobBoard, _ death: Death) throws {
    let consequence = board.ended(try start(&board).id, .died(death))
    #expect(consequence == .nothing)
  }

  private func expectNone(_ board: inout JobBoard) {
    let next = board.next()
    #expect(next == nil)
  }

  @Test("Jobs are given out in order, as many as there are slots")
  func order() throws {
    var board = JobBoard([.soundtrack, .segments(0..<2), .segments(2..<3)], slots: 2)
    let first = try start(&board)
    #expect(first.job == .soundtrack)
    let second = try start(&board)
    #expect(second.job == .segments(0..<2))
    expectNone(&board)
    _ = board.ended(first.id, .finished)
    let third = try start(&board)
    #expect(third.job == .segments(2..<3))
    #expect(!board.isDone)
  }

  @Test(
    "What a dead worker had not finished is made again: the segment alone, the rest with others")
  func death() throws {
    var board = JobBoard([.segments(0..<5), .soundtrack], slots: 2)
    let run = try start(&board)
    let sound = try start(&board)
    board.finished(segment: 0, of: run.id)
    board.finished(segment: 1, of: run.id)
    _ = board.ended(run.id, .died(Self.kill))
    let rest = try start(&board)
    #expect(rest.job == .segments(3..<5))
    _ = board.ended(sound.id, .finished)
    expectNone(&board)
    _ = board.ended(rest.id, .finished)
    let alone = try start(&board)
    #expect(alone.job == .segments(2..<3))
    expectNone(&board)
    _ = board.ended(alone.id, .finished)
    #expect(board.isDone)
  }

  @Test("Two deaths that blame nobody are a failure")
  func twice() throws {
    var board = JobBoard([.segments(0..<1)], slots: 1)
    try die(&board, Self.kill)
    guard case .failure(let error) = board.ended(try start(&board).id, .died(Self.kill))
    else {
      Issue.record("no failure")
      return
    }
    #expect(error.message.contains("segment 0") && error.message.contains("signal 9"))
  }

  @Test(
    "A track that twice brought its decoder down is lost; one death before, of another cause, does not matter"
  )
  func blame() throws {
    var board = JobBoard([.segments(7..<8)], slots: 1)
    for death in [Self.kill, Self.crash(3)] {
      try die(&board, death)
    }
    let blamed = board.ended(try start(&board).id, .died(Self.crash(3)))
    #expect(
      blamed
        == .loss(.segments(7..<8), CrashLoss(track: 3, time: 5, manner: "signal 11")))
    // From the beginning: the next death is a first one.
    try die(&board, Self.crash(4))
    let last = board.ended(try start(&board).id, .finished)
    #expect(last == .nothing)
    #expect(board.isDone)
  }

  @Test("A crash outside of the decoders blames no track")
  func otherPhases() throws {
    var board = JobBoard([.soundtrack], slots: 1)
    let death = Self.crash(1, phase: .encoding)
    try die(&board, death)
    guard case .failure = board.ended(try start(&board).id, .died(death)) else {
      Issue.record("no failure")
      return
    }
  }

  @Test("A worker that somebody else stopped is replaced")
  func stopped() throws {
    var board = JobBoard([.soundtrack], slots: 1)
    let consequence = board.ended(try start(&board).id, .stopped)
    #expect(consequence == .nothing)
    #expect(!board.isDone)
    #expect(try start(&board).job == .soundtrack)
  }

  @Test("A worker that dies after its last segment has done its work")
  func lateDeath() throws {
    var board = JobBoard([.segments(0..<1)], slots: 1)
    let job = try start(&board)
    board.finished(segment: 0, of: job.id)
    let consequence = board.ended(job.id, .died(Self.kill))
    #expect(consequence == .nothing)
    #expect(board.isDone)
  }
}

@Suite struct ReadingTests {
  @Test("A recording that brings readers down twice is lost alone, and the rest is read")
  func reading() throws {
    var board = JobBoard([.reading(0..<3)], slots: 1, describe: { _ in "reading b.webm" })
    let death = Death(
      manner: "signal 6", blame: CrashNote.Blame(phase: .probing, track: 1, time: 0, signal: 6))
    let all = board.next()
    board.finished(segment: 0, of: try #require(all).id)
    let first = board.ended(try #require(all).id, .died(death))
    #expect(first == .nothing)
    let rest = board.next()
    #expect(rest?.job == .reading(2..<3))
    _ = board.ended(try #require(rest).id, .finished)
    let alone = board.next()
    #expect(alone?.job == .reading(1..<2))
    let second = board.ended(try #require(alone).id, .died(death))
    let loss = CrashLoss(track: 1, time: 0, manner: "signal 6")
    #expect(second == .loss(.reading(1..<2), loss))
  }

  @Test("What a file holds comes through a process as it is, damage and errors too")
  func results() throws {
    let temporary = try TemporaryFolder()
    let folder = try ReadingFolder.make(in: temporary.path)
    let inputs = try HardCall.make(temporary) + [temporary.path("none.webm")]
    for (number, path) in inputs.enumerated() {
      let task = ReadingTask.probe(path)
      let result = try #require(task.perform(cancellation: Cancellation()))
      try folder.put(result, number)
      switch (result, try #require(folder.result(number))) {
      case (.scan(let scan), .scan(let read)):
        #expect(scan.file == read.file && scan.indexes == read.indexes)
      case (.unreadable(let error), .unreadable(let read)): #expect(error == read)
      default: Issue.record("\(path) changes")
      }
    }
  }
}
