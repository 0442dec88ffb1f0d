import TesseraJobs
import TestSupport
import Testing

@Suite("Slots of a machine shared by several calls", .timed) struct ProcessorSlotSchedulerTests {
  private func request(_ job: Int, _ id: Int = 1, memory: Int = 1) -> ProcessorSlotScheduler.Request
  {
    ProcessorSlotScheduler.Request(job: job, id: id, memory: memory)
  }

  @Test func allSlotsAreGranted() {
    var scheduler = ProcessorSlotScheduler(count: 2, memory: 100)
    for job in 0..<3 { scheduler.add(request(job)) }
    #expect(scheduler.grant().map(\.job) == [0, 1])
    #expect(scheduler.grant().isEmpty && scheduler.busy == 2)
    scheduler.remove(job: 1, id: 1)
    #expect(scheduler.grant().map(\.job) == [2])
  }

  @Test func earlierJobsHavePriority() {
    var scheduler = ProcessorSlotScheduler(count: 1, memory: 100)
    for job in [5, 7, 3] { scheduler.add(request(job)) }
    scheduler.add(request(3, 2))
    var order: [Int] = []
    while let next = scheduler.grant().first {
      order.append(next.job * 10 + next.id)
      scheduler.remove(job: next.job, id: next.id)
    }
    #expect(order == [31, 32, 51, 71])
  }

  @Test func memoryIsReservedBeforeAJobStarts() {
    var scheduler = ProcessorSlotScheduler(count: 4, memory: 10)
    scheduler.add(request(0, memory: 6))
    scheduler.add(request(1, memory: 6))
    scheduler.add(request(2, memory: 1))
    // The third request would fit, but the second must not starve.
    #expect(scheduler.grant().map(\.job) == [0])
    scheduler.remove(job: 0)
    #expect(scheduler.grant().map(\.job) == [1, 2])
  }

  @Test func aRequestAboveTheMemoryRunsAlone() {
    var scheduler = ProcessorSlotScheduler(count: 4, memory: 10)
    scheduler.add(request(0, memory: 50))
    scheduler.add(request(1, memory: 1))
    #expect(scheduler.grant().map(\.job) == [0])
    scheduler.remove(job: 0, id: 1)
    #expect(scheduler.grant().map(\.job) == [1])
  }

  @Test func aDeadJobReturnsItsSlotsAndRequests() {
    var scheduler = ProcessorSlotScheduler(count: 2, memory: 100)
    for id in 1...3 { scheduler.add(request(0, id)) }
    #expect(scheduler.grant().count == 2)
    scheduler.add(request(1))
    scheduler.remove(job: 0)
    #expect(scheduler.grant().map(\.job) == [1])
    scheduler.remove(job: 1)
    #expect(scheduler.grant().isEmpty && scheduler.busy == 0)
  }

  @Test func theShareShrinksWithTheNumberOfJobs() {
    var scheduler = ProcessorSlotScheduler(count: 8, memory: 100)
    #expect(scheduler.share == 8)
    for job in 0..<4 { scheduler.add(request(job)) }
    #expect(scheduler.share == 2)
    for job in 4..<20 { scheduler.add(request(job)) }
    #expect(scheduler.share == 1)
  }
}
