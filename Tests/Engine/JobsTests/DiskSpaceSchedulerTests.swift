import TesseraJobs
import TestSupport
import Testing

@Suite("Disk space shared by several calls", .timed) struct DiskSpaceSchedulerTests {
  private func request(_ job: Int, _ bytes: Int, disk: UInt64 = 1) -> DiskSpaceScheduler.Request {
    DiskSpaceScheduler.Request(job: job, id: 1, folder: "/\(disk)", disk: disk, bytes: bytes)
  }

  @Test func reservedSpaceIsNotFree() {
    var scheduler = DiskSpaceScheduler()
    for (job, bytes) in [(0, 60), (1, 60), (2, 1)] { scheduler.add(request(job, bytes)) }
    // The third request would fit, but the second must not starve.
    #expect(scheduler.grant { _ in 100 }.map(\.job) == [0])
    #expect(scheduler.grant { _ in 119 }.isEmpty)
    scheduler.remove(job: 0)
    #expect(scheduler.grant { _ in 100 }.map(\.job) == [1, 2])
  }

  @Test func aRequestAboveTheCapacityIsGrantedAlone() {
    var scheduler = DiskSpaceScheduler()
    scheduler.add(request(0, 50))
    scheduler.add(request(1, .max))
    #expect(scheduler.grant { _ in 100 }.map(\.job) == [0])
    #expect(scheduler.grant { _ in .max - 1 }.isEmpty)
    scheduler.remove(job: 0)
    #expect(scheduler.grant { _ in 0 }.map(\.job) == [1])
  }

  @Test func disksAreCountedSeparately() {
    var scheduler = DiskSpaceScheduler()
    for job in 0..<4 { scheduler.add(request(job, 60, disk: job < 2 ? 1 : 2)) }
    #expect(scheduler.grant { $0 == "/1" ? 100 : 200 }.map(\.job) == [0, 2, 3])
    scheduler.remove(job: 1)
    scheduler.remove(job: 0)
    #expect(scheduler.grant { _ in 0 }.isEmpty)
  }

  @Test func anUnknownDiskLimitsNoJob() {
    var scheduler = DiskSpaceScheduler()
    for job in 0..<2 { scheduler.add(request(job, 60)) }
    #expect(scheduler.grant { _ in nil }.map(\.job) == [0, 1])
  }
}
