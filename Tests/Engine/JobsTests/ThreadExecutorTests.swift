import Glibc
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs

@Suite(.timed) struct ThreadExecutorTests {
  @Test("All jobs are done, at most one per slot at a time")
  func slots() async throws {
    let state = ConditionLock((running: 0, most: 0, done: [PlayedJob]()))
    let executor = LocalExecutor(
      slots: 3,
      runner: ThreadJobRunner(
        PlayedPerformer { job, _, events throws(RenderError) in
          state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
          }
          if case .segments(let numbers) = job {
            for number in numbers { events(.finished(part: number)) }
          }
          state.withLock { state in
            state.running -= 1
            state.done.append(job)
          }
        }))
    let jobs: [PlayedJob] = [.soundtrack] + (0..<20).map { .segments((2 * $0)..<(2 * $0 + 2)) }
    let finished = ConditionLock(Set<Int>())
    try await executor.execute(
      jobs, cancellation: Cancellation(),
      events: { _, event in
        if case .finished(let segment) = event {
          finished.withLock { _ = $0.insert(segment) }
        }
      }, lost: { _, _ in })
    #expect(Set(state.withLock { $0.done }) == Set(jobs))
    #expect(state.withLock { $0.most } <= 3)
    #expect(finished.withLock { $0 } == Set(0..<40))
  }

  @Test("A failed job stops all others")
  func failure() async {
    let executor = LocalExecutor(
      slots: 2,
      runner: ThreadJobRunner(
        PlayedPerformer { job, cancellation, _ throws(RenderError) in
          if job == .soundtrack { throw RenderError(.failure, "no sound.") }
          while !cancellation.isCancelled { usleep(1000) }
        }))
    await #expect(throws: RenderError(.failure, "no sound.")) {
      try await executor.execute(
        [.segments(0..<1), .soundtrack, .segments(1..<2)], cancellation: Cancellation(),
        events: { _, _ in }, lost: { _, _ in })
    }
  }

  @Test("Cancellation stops running jobs")
  func cancellation() async {
    let cancellation = Cancellation()
    let executor = LocalExecutor(
      slots: 2,
      runner: ThreadJobRunner(
        PlayedPerformer { _, own, _ throws(RenderError) in
          cancellation.cancel()
          while !own.isCancelled { usleep(1000) }
        }))
    let error = await #expect(throws: RenderError.self) {
      try await executor.execute(
        [.segments(0..<1), .segments(1..<2)], cancellation: cancellation, events: { _, _ in },
        lost: { _, _ in })
    }
    #expect(error?.kind == .cancelled)
  }
}
