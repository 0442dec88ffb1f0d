import TesseraJobs
import TestSupport
import Testing

@Suite("Disk space shared by several calls", .timed) struct DiskLedgerTests {
  private func request(_ job: Int, _ bytes: Int, disk: UInt64 = 1) -> DiskLedger.Request {
    DiskLedger.Request(job: job, id: 1, folder: "/\(disk)", disk: disk, bytes: bytes)
  }

  @Test func reservedSpaceIsNotFree() {
    var ledger = DiskLedger()
    for (job, bytes) in [(0, 60), (1, 60), (2, 1)] { ledger.add(request(job, bytes)) }
    // The third request would fit, but the second must not starve.
    #expect(ledger.grant { _ in 100 }.map(\.job) == [0])
    #expect(ledger.grant { _ in 119 }.isEmpty)
    ledger.remove(job: 0)
    #expect(ledger.grant { _ in 100 }.map(\.job) == [1, 2])
  }

  @Test func aRequestAboveTheCapacityIsGrantedAlone() {
    var ledger = DiskLedger()
    ledger.add(request(0, 50))
    ledger.add(request(1, .max))
    #expect(ledger.grant { _ in 100 }.map(\.job) == [0])
    #expect(ledger.grant { _ in .max - 1 }.isEmpty)
    ledger.remove(job: 0)
    #expect(ledger.grant { _ in 0 }.map(\.job) == [1])
  }

  @Test func disksAreCountedSeparately() {
    var ledger = DiskLedger()
    for job in 0..<4 { ledger.add(request(job, 60, disk: job < 2 ? 1 : 2)) }
    #expect(ledger.grant { $0 == "/1" ? 100 : 200 }.map(\.job) == [0, 2, 3])
    ledger.remove(job: 1)
    ledger.remove(job: 0)
    #expect(ledger.grant { _ in 0 }.isEmpty)
  }

  @Test func anUnknownDiskLimitsNoJob() {
    var ledger = DiskLedger()
    for job in 0..<2 { ledger.add(request(job, 60)) }
    #expect(ledger.grant { _ in nil }.map(\.job) == [0, 1])
  }
}
