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

  private func start(_ scheduler: inout JobScheduler<PlayedJob>) throws
    -> JobScheduler<PlayedJob>.Assignment
  {
    let next = scheduler.next()
    return try #require(next)
  }

  /// Lets the next job's worker die and expects no consequence.
  private func die(_ scheduler: inout JobScheduler<PlayedJob>, _ death: WorkerDeath) throws {
    let action = scheduler.ended(try start(&scheduler).id, .died(death))
    #expect(action == .nothing)
  }

  private func expectNone(_ scheduler: inout JobScheduler<PlayedJob>) {
    let next = scheduler.next()
    #expect(next == nil)
  }

  @Test("Jobs are handed out in order, one per slot")
  func order() throws {
    var scheduler = JobScheduler<PlayedJob>(
      [.soundtrack, .segments(0..<2), .segments(2..<3)], slots: 2)
    let first = try start(&scheduler)
    #expect(first.job == .soundtrack)
    let second = try start(&scheduler)
    #expect(second.job == .segments(0..<2))
    expectNone(&scheduler)
    _ = scheduler.ended(first.id, .finished)
    let third = try start(&scheduler)
    #expect(third.job == .segments(2..<3))
    #expect(!scheduler.isDone)
  }

  @Test("After a crash on several parts, each part is tried alone")
  func togetherDies() throws {
    var scheduler = JobScheduler<PlayedJob>([.together([.segments(0..<1), .soundtrack])], slots: 1)
    try die(&scheduler, Self.crash(3))
    #expect(!scheduler.isDone)
    let pictures = try start(&scheduler)
    #expect(pictures.job == .segments(0..<1))
    _ = scheduler.ended(pictures.id, .finished)
    try die(&scheduler, Self.crash(3))
    let sound = try start(&scheduler)
    let action = scheduler.ended(sound.id, .died(Self.crash(3)))
    #expect(action == .loss(.soundtrack, CrashedTrackLoss(track: 3, time: 5, manner: "signal 11")))
  }

  @Test(
    "A dead worker's unfinished work is done again: its segment alone, the rest with others")
  func death() throws {
    var scheduler = JobScheduler<PlayedJob>([.segments(0..<5), .soundtrack], slots: 2)
    let run = try start(&scheduler)
    let sound = try start(&scheduler)
    scheduler.finished(part: 0, of: run.id)
    scheduler.finished(part: 1, of: run.id)
    _ = scheduler.ended(run.id, .died(Self.kill))
    let rest = try start(&scheduler)
    #expect(rest.job == .segments(3..<5))
    _ = scheduler.ended(sound.id, .finished)
    expectNone(&scheduler)
    _ = scheduler.ended(rest.id, .finished)
    let alone = try start(&scheduler)
    #expect(alone.job == .segments(2..<3))
    expectNone(&scheduler)
    _ = scheduler.ended(alone.id, .finished)
    #expect(scheduler.isDone)
  }

  @Test("Two deaths without a crash site fail the job")
  func twice() throws {
    var scheduler = JobScheduler<PlayedJob>([.segments(0..<1)], slots: 1)
    try die(&scheduler, Self.kill)
    let action = scheduler.ended(try start(&scheduler).id, .died(Self.kill))
    #expect(action == .diedTwice(.segments(0..<1), manners: ["signal 9", "signal 9"]))
  }

  @Test(
    "A track that crashes its decoder twice is lost; an earlier death of another cause does not count"
  )
  func blame() throws {
    var scheduler = JobScheduler<PlayedJob>([.segments(7..<8)], slots: 1)
    for death in [Self.kill, Self.crash(3)] {
      try die(&scheduler, death)
    }
    let blamed = scheduler.ended(try start(&scheduler).id, .died(Self.crash(3)))
    #expect(
      blamed
        == .loss(.segments(7..<8), CrashedTrackLoss(track: 3, time: 5, manner: "signal 11")))
    // After a reset, the next death counts as the first.
    try die(&scheduler, Self.crash(4))
    let last = scheduler.ended(try start(&scheduler).id, .finished)
    #expect(last == .nothing)
    #expect(scheduler.isDone)
  }

  @Test("A crash outside of the decoders blames no track")
  func otherPhases() throws {
    var scheduler = JobScheduler<PlayedJob>([.soundtrack], slots: 1)
    let death = WorkerDeath(manner: "signal 11")
    try die(&scheduler, death)
    guard case .diedTwice = scheduler.ended(try start(&scheduler).id, .died(death)) else {
      Issue.record("no failure")
      return
    }
  }

  @Test("A worker that was stopped from outside is replaced")
  func stopped() throws {
    var scheduler = JobScheduler<PlayedJob>([.soundtrack], slots: 1)
    let action = scheduler.ended(try start(&scheduler).id, .stopped)
    #expect(action == .nothing)
    #expect(!scheduler.isDone)
    #expect(try start(&scheduler).job == .soundtrack)
  }

  @Test("A worker that dies after its last segment has finished its job")
  func lateDeath() throws {
    var scheduler = JobScheduler<PlayedJob>([.segments(0..<1)], slots: 1)
    let job = try start(&scheduler)
    scheduler.finished(part: 0, of: job.id)
    let action = scheduler.ended(job.id, .died(Self.kill))
    #expect(action == .nothing)
    #expect(scheduler.isDone)
  }

  @Test("A recording that crashes workers twice is lost alone, and the rest is done")
  func lostPart() throws {
    var scheduler = JobScheduler<PlayedJob>([.segments(0..<3)], slots: 1)
    let death = Self.crash(1, phase: .probing)
    let all = try start(&scheduler)
    scheduler.finished(part: 0, of: all.id)
    let first = scheduler.ended(all.id, .died(death))
    #expect(first == .nothing)
    let rest = try start(&scheduler)
    #expect(rest.job == .segments(2..<3))
    _ = scheduler.ended(rest.id, .finished)
    let alone = try start(&scheduler)
    #expect(alone.job == .segments(1..<2))
    let second = scheduler.ended(alone.id, .died(death))
    let loss = CrashedTrackLoss(track: 1, time: 5, manner: "signal 11")
    #expect(second == .loss(.segments(1..<2), loss))
  }

  @Test("With whole-job retries, the rest of a job stays one job, beside the others")
  func whole() throws {
    var scheduler = JobScheduler<PlayedJob>(
      [.segments(0..<5), .soundtrack], slots: 2, retry: .whole)
    let run = try start(&scheduler)
    _ = try start(&scheduler)
    scheduler.finished(part: 0, of: run.id)
    _ = scheduler.ended(run.id, .died(Self.crash(2)))
    let again = try start(&scheduler)
    #expect(again.job == .segments(1..<5))
    #expect(again.place == run.place)
    let blamed = scheduler.ended(again.id, .died(Self.crash(2)))
    let loss = CrashedTrackLoss(track: 2, time: 5, manner: "signal 11")
    #expect(blamed == .loss(.segments(1..<2), loss))
    let third = try start(&scheduler)
    #expect(third.job == .segments(1..<5))
  }

  @Test(
    "A dependent job is handed out after its predecessor, before jobs requested later"
  )
  func following() throws {
    var scheduler = JobScheduler<PlayedJob>(
      [.soundtrack, .finale, .segments(0..<1), .segments(1..<2)], slots: 2)
    let sound = try start(&scheduler)
    let first = try start(&scheduler)
    #expect(sound.job == .soundtrack && first.job == .segments(0..<1))
    _ = scheduler.ended(sound.id, .died(Self.kill))
    _ = scheduler.ended(first.id, .finished)
    // The sound is retried alone, and no other job runs beside it.
    let second = try start(&scheduler)
    #expect(second.job == .segments(1..<2))
    expectNone(&scheduler)
    _ = scheduler.ended(second.id, .finished)
    let again = try start(&scheduler)
    #expect(again.job == .soundtrack)
    expectNone(&scheduler)
    _ = scheduler.ended(again.id, .finished)
    let last = try start(&scheduler)
    #expect(last.job == .finale)
  }

  @Test("A free slot at the end receives half of the longest job's remaining parts")
  func halves() throws {
    var scheduler = JobScheduler<PlayedJob>(
      [.segments(0..<9), .segments(9..<12)], slots: 2, halves: true)
    let (long, short) = (try start(&scheduler), try start(&scheduler))
    expectNone(&scheduler)
    scheduler.finished(part: 0, of: long.id)
    _ = scheduler.ended(short.id, .finished)
    // Segment 1 is in progress.
    let half = try start(&scheduler)
    #expect(half.job == .segments(6..<9))
    #expect(half.shortened == JobScheduler.ShortenedJob(job: .segments(0..<9), end: 6))
    _ = scheduler.ended(half.id, .finished)
    scheduler.finished(part: 1, of: long.id)
    let quarter = try start(&scheduler)
    #expect(quarter.job == .segments(5..<6))
    #expect(quarter.shortened == JobScheduler.ShortenedJob(job: .segments(0..<9), end: 5))
    // The rest of a dead worker's shortened job is its shortened range.
    _ = scheduler.ended(long.id, .died(Self.kill))
    _ = scheduler.ended(quarter.id, .finished)
    var rest: [PlayedJob] = []
    while let next = scheduler.next() {
      rest.append(next.job)
      _ = scheduler.ended(next.id, .finished)
    }
    #expect(Set(rest) == [.segments(2..<3), .segments(3..<5)] && scheduler.isDone)
  }

  @Test("Two parts are not split, nor is any job that cannot be shortened")
  func notHalved() throws {
    var scheduler = JobScheduler<PlayedJob>([.segments(0..<2)], slots: 2, halves: true)
    _ = try start(&scheduler)
    expectNone(&scheduler)
    var whole = JobScheduler<PlayedJob>([.segments(0..<9)], slots: 2)
    _ = try start(&whole)
    expectNone(&whole)
  }
}
