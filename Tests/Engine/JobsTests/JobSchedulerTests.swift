import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs

@Suite(.timed) struct JobSchedulerTests {
  private static let kill = WorkerDeath(manner: "signal 9")
  private static func crash(_ track: Int, phase: CrashNote.Phase = .decoding) -> WorkerDeath {
    WorkerDeath(
      manner: "signal 11",
      blame: CrashNote.CrashSite(phase: phase, track: track, time: 5, signal: 11))
  }

  private func start(_ board: inout JobScheduler<PlayedJob>) throws
    -> JobScheduler<PlayedJob>.Assignment
  {
    let next = board.next()
    return try #require(next)
  }

  /// Lets the next job's worker die and expects no consequence.
  private func die(_ board: inout JobScheduler<PlayedJob>, _ death: WorkerDeath) throws {
    let consequence = board.ended(try start(&board).id, .died(death))
    #expect(consequence == .nothing)
  }

  private func expectNone(_ board: inout JobScheduler<PlayedJob>) {
    let next = board.next()
    #expect(next == nil)
  }

  @Test("Jobs are handed out in order, one per slot")
  func order() throws {
    var board = JobScheduler<PlayedJob>(
      [.soundtrack, .segments(0..<2), .segments(2..<3)], slots: 2)
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

  @Test("After a crash on several parts, each part is tried alone")
  func togetherDies() throws {
    var board = JobScheduler<PlayedJob>([.together([.segments(0..<1), .soundtrack])], slots: 1)
    try die(&board, Self.crash(3))
    #expect(!board.isDone)
    let pictures = try start(&board)
    #expect(pictures.job == .segments(0..<1))
    _ = board.ended(pictures.id, .finished)
    try die(&board, Self.crash(3))
    let sound = try start(&board)
    let consequence = board.ended(sound.id, .died(Self.crash(3)))
    #expect(consequence == .loss(.soundtrack, CrashLoss(track: 3, time: 5, manner: "signal 11")))
  }

  @Test(
    "A dead worker's unfinished work is done again: its segment alone, the rest with others")
  func death() throws {
    var board = JobScheduler<PlayedJob>([.segments(0..<5), .soundtrack], slots: 2)
    let run = try start(&board)
    let sound = try start(&board)
    board.finished(part: 0, of: run.id)
    board.finished(part: 1, of: run.id)
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

  @Test("Two deaths without a crash site fail the job")
  func twice() throws {
    var board = JobScheduler<PlayedJob>([.segments(0..<1)], slots: 1)
    try die(&board, Self.kill)
    let consequence = board.ended(try start(&board).id, .died(Self.kill))
    #expect(consequence == .diedTwice(.segments(0..<1), manners: ["signal 9", "signal 9"]))
  }

  @Test(
    "A track that crashes its decoder twice is lost; an earlier death of another cause does not count"
  )
  func blame() throws {
    var board = JobScheduler<PlayedJob>([.segments(7..<8)], slots: 1)
    for death in [Self.kill, Self.crash(3)] {
      try die(&board, death)
    }
    let blamed = board.ended(try start(&board).id, .died(Self.crash(3)))
    #expect(
      blamed
        == .loss(.segments(7..<8), CrashLoss(track: 3, time: 5, manner: "signal 11")))
    // After a reset, the next death counts as the first.
    try die(&board, Self.crash(4))
    let last = board.ended(try start(&board).id, .finished)
    #expect(last == .nothing)
    #expect(board.isDone)
  }

  @Test("A crash outside of the decoders blames no track")
  func otherPhases() throws {
    var board = JobScheduler<PlayedJob>([.soundtrack], slots: 1)
    let death = WorkerDeath(manner: "signal 11")
    try die(&board, death)
    guard case .diedTwice = board.ended(try start(&board).id, .died(death)) else {
      Issue.record("no failure")
      return
    }
  }

  @Test("A worker that was stopped from outside is replaced")
  func stopped() throws {
    var board = JobScheduler<PlayedJob>([.soundtrack], slots: 1)
    let consequence = board.ended(try start(&board).id, .stopped)
    #expect(consequence == .nothing)
    #expect(!board.isDone)
    #expect(try start(&board).job == .soundtrack)
  }

  @Test("A worker that dies after its last segment has finished its job")
  func lateDeath() throws {
    var board = JobScheduler<PlayedJob>([.segments(0..<1)], slots: 1)
    let job = try start(&board)
    board.finished(part: 0, of: job.id)
    let consequence = board.ended(job.id, .died(Self.kill))
    #expect(consequence == .nothing)
    #expect(board.isDone)
  }

  @Test("A recording that crashes workers twice is lost alone, and the rest is done")
  func lostPart() throws {
    var board = JobScheduler<PlayedJob>([.segments(0..<3)], slots: 1)
    let death = Self.crash(1, phase: .probing)
    let all = try start(&board)
    board.finished(part: 0, of: all.id)
    let first = board.ended(all.id, .died(death))
    #expect(first == .nothing)
    let rest = try start(&board)
    #expect(rest.job == .segments(2..<3))
    _ = board.ended(rest.id, .finished)
    let alone = try start(&board)
    #expect(alone.job == .segments(1..<2))
    let second = board.ended(alone.id, .died(death))
    let loss = CrashLoss(track: 1, time: 5, manner: "signal 11")
    #expect(second == .loss(.segments(1..<2), loss))
  }

  @Test("With whole-job retries, the rest of a job stays one job, beside the others")
  func whole() throws {
    var board = JobScheduler<PlayedJob>([.segments(0..<5), .soundtrack], slots: 2, retry: .whole)
    let run = try start(&board)
    _ = try start(&board)
    board.finished(part: 0, of: run.id)
    _ = board.ended(run.id, .died(Self.crash(2)))
    let again = try start(&board)
    #expect(again.job == .segments(1..<5))
    #expect(again.place == run.place)
    let blamed = board.ended(again.id, .died(Self.crash(2)))
    let loss = CrashLoss(track: 2, time: 5, manner: "signal 11")
    #expect(blamed == .loss(.segments(1..<2), loss))
    let third = try start(&board)
    #expect(third.job == .segments(1..<5))
  }

  @Test(
    "A dependent job is handed out after its predecessor, before jobs requested later"
  )
  func following() throws {
    var board = JobScheduler<PlayedJob>(
      [.soundtrack, .finale, .segments(0..<1), .segments(1..<2)], slots: 2)
    let sound = try start(&board)
    let first = try start(&board)
    #expect(sound.job == .soundtrack && first.job == .segments(0..<1))
    _ = board.ended(sound.id, .died(Self.kill))
    _ = board.ended(first.id, .finished)
    // The sound is retried alone, and no other job runs beside it.
    let second = try start(&board)
    #expect(second.job == .segments(1..<2))
    expectNone(&board)
    _ = board.ended(second.id, .finished)
    let again = try start(&board)
    #expect(again.job == .soundtrack)
    expectNone(&board)
    _ = board.ended(again.id, .finished)
    let last = try start(&board)
    #expect(last.job == .finale)
  }

  @Test("A free slot at the end receives half of the longest job's remaining parts")
  func halves() throws {
    var board = JobScheduler<PlayedJob>(
      [.segments(0..<9), .segments(9..<12)], slots: 2, halves: true)
    let (long, short) = (try start(&board), try start(&board))
    expectNone(&board)
    board.finished(part: 0, of: long.id)
    _ = board.ended(short.id, .finished)
    // Segment 1 is in progress.
    let half = try start(&board)
    #expect(half.job == .segments(6..<9))
    #expect(half.shortened == JobScheduler.TruncatedJob(job: .segments(0..<9), end: 6))
    _ = board.ended(half.id, .finished)
    board.finished(part: 1, of: long.id)
    let quarter = try start(&board)
    #expect(quarter.job == .segments(5..<6))
    #expect(quarter.shortened == JobScheduler.TruncatedJob(job: .segments(0..<9), end: 5))
    // The rest of a dead worker's shortened job is its shortened range.
    _ = board.ended(long.id, .died(Self.kill))
    _ = board.ended(quarter.id, .finished)
    var rest: [PlayedJob] = []
    while let next = board.next() {
      rest.append(next.job)
      _ = board.ended(next.id, .finished)
    }
    #expect(Set(rest) == [.segments(2..<3), .segments(3..<5)] && board.isDone)
  }

  @Test("Two parts are not split, nor is any job that cannot be shortened")
  func notHalved() throws {
    var board = JobScheduler<PlayedJob>([.segments(0..<2)], slots: 2, halves: true)
    _ = try start(&board)
    expectNone(&board)
    var whole = JobScheduler<PlayedJob>([.segments(0..<9)], slots: 2)
    _ = try start(&whole)
    expectNone(&whole)
  }
}
