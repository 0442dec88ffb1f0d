import TesseraJobs
import TestSupport
import Testing

@Suite("Slots of a machine shared by several calls", .timed) struct SlotLedgerTests {
  private func request(_ job: Int, _ id: Int = 1, memory: Int = 1) -> SlotLedger.Request {
    SlotLedger.Request(job: job, id: id, memory: memory)
  }

  @Test func allSlotsAreGranted() {
    var ledger = SlotLedger(count: 2, memory: 100)
    for job in 0..<3 { ledger.add(request(job)) }
    #expect(ledger.grant().map(\.job) == [0, 1])
    #expect(ledger.grant().isEmpty && ledger.busy == 2)
    ledger.remove(job: 1, id: 1)
    #expect(ledger.grant().map(\.job) == [2])
  }

  @Test func earlierJobsHavePriority() {
    var ledger = SlotLedger(count: 1, memory: 100)
    for job in [5, 7, 3] { ledger.add(request(job)) }
    ledger.add(request(3, 2))
    var order: [Int] = []
    while let next = ledger.grant().first {
      order.append(next.job * 10 + next.id)
      ledger.remove(job: next.job, id: next.id)
    }
    #expect(order == [31, 32, 51, 71])
  }

  @Test func memoryIsReservedBeforeAJobStarts() {
    var ledger = SlotLedger(count: 4, memory: 10)
    ledger.add(request(0, memory: 6))
    ledger.add(request(1, memory: 6))
    ledger.add(request(2, memory: 1))
    // The third request would fit, but the second must not starve.
    #expect(ledger.grant().map(\.job) == [0])
    ledger.remove(job: 0)
    #expect(ledger.grant().map(\.job) == [1, 2])
  }

  @Test func aRequestAboveTheMemoryRunsAlone() {
    var ledger = SlotLedger(count: 4, memory: 10)
    ledger.add(request(0, memory: 50))
    ledger.add(request(1, memory: 1))
    #expect(ledger.grant().map(\.job) == [0])
    ledger.remove(job: 0, id: 1)
    #expect(ledger.grant().map(\.job) == [1])
  }

  @Test func aDeadJobReturnsItsSlotsAndRequests() {
    var ledger = SlotLedger(count: 2, memory: 100)
    for id in 1...3 { ledger.add(request(0, id)) }
    #expect(ledger.grant().count == 2)
    ledger.add(request(1))
    ledger.remove(job: 0)
    #expect(ledger.grant().map(\.job) == [1])
    ledger.remove(job: 1)
    #expect(ledger.grant().isEmpty && ledger.busy == 0)
  }

  @Test func theShareShrinksWithTheNumberOfJobs() {
    var ledger = SlotLedger(count: 8, memory: 100)
    #expect(ledger.share == 8)
    for job in 0..<4 { ledger.add(request(job)) }
    #expect(ledger.share == 2)
    for job in 4..<20 { ledger.add(request(job)) }
    #expect(ledger.share == 1)
  }
}
