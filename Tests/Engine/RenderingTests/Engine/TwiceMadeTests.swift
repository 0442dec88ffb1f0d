import Foundation
import Synchronization
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// Several processes may render one piece at once, with equal results.
@Suite(.timed) struct TwiceMadeTests {
  private static let call = Result { () throws -> (InputCall, WorkPlan) in
    let call = try InputCall()
    return (call, WorkPlan([RenditionPlan(try call.plan(try call.request()))]))
  }

  /// Two threads of one process share a process ID, like the only processes of two containers.
  @Test func concurrentWritersOfOnePieceBothSucceed() throws {
    let (_, work) = try Self.call.get()
    let temporary = try TemporaryFolder()
    let folders = ["both", "alone"].map { WorkFolder(temporary.path($0)) }
    for folder in folders { try folder.make() }
    let failures = Mutex<[RenderError]>([])
    let threads = ThreadGroup(count: 3, name: "maker") {
      do throws(RenderError) {
        try RenderJobHandler(work, folder: folders[0])
          .perform(.segments(0..<1), note: nil, cancellation: Cancellation()) { _ in }
      } catch {
        failures.withLock { $0.append(error) }
      }
    }
    threads.join()
    #expect(failures.withLock { $0 } == [])
    try RenderJobHandler(work, folder: folders[1])
      .perform(.segments(0..<1), note: nil, cancellation: Cancellation()) { _ in }
    let files = try folders.map {
      try Data(contentsOf: URL(fileURLWithPath: $0.segmentPath(0, of: work.renditions[0])))
    }
    #expect(files[0] == files[1])
    #expect(FileOperations.names(in: "\(folders[0].path)/segments").count == 1)
  }

  @Test func aNoteDoesNotDependOnTheOrderOfItsTracks() {
    let numbers = (0..<30).map { $0 * 7 }
    func note(_ numbers: [Int], capacity: Int) -> String {
      var pictures: [TrackID: PictureStatistics.TimelinePart] = [:]
      pictures.reserveCapacity(capacity)
      for number in numbers {
        pictures[TrackID(rawValue: number)] = PictureStatistics.TimelinePart()
      }
      return SegmentReport(pictures: pictures, pixelsWritten: 1, crashes: [], isMakeshift: false)
        .text
    }
    let texts = (0..<8).map { note(numbers.shuffled(), capacity: 30 << $0) }
    #expect(Set(texts).count == 1)
  }

  @Test func filesInProgressAreNotRemoved() throws {
    let (_, work) = try Self.call.get()
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path("work"))
    try folder.make()
    let files = try (0..<2).map { _ in
      try TemporaryFile.make(for: folder.segmentPath(0, of: work.renditions[0]))
    }
    #expect(files[0].path != files[1].path)
    close(files[1].descriptor)
    _ = try folder.enter()
    #expect(FileOperations.exists(files[0].path) && !FileOperations.exists(files[1].path))
    close(files[0].descriptor)
    _ = try folder.enter()
    #expect(!FileOperations.exists(files[0].path))
  }

  @Test func aPlanWithoutItsSideFilesIsAnError() throws {
    let (_, work) = try Self.call.get()
    let temporary = try TemporaryFolder()
    let path = temporary.path("plan.json")
    try work.write(to: path)
    #expect(try WorkPlan.read(path).renditions[0].digests == work.renditions[0].digests)
    try FileManager.default.removeItem(atPath: "\(path).parts")
    let error = #expect(throws: RenderError.self) { try WorkPlan.read(path) }
    let message = try #require(error?.message)
    #expect(message.hasPrefix("the part \(path).parts/"), "\(message)")
    #expect(message.hasSuffix("copy the plan with its folder \(path).parts, or write it again."))
  }
}
