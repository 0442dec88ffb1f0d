import Foundation
import TesseraDelivery
import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite("Requests that are planned or composed without outputs", .timed)
struct RequestPlanTests {
  private static let session = SourceTree.path("Fixtures/call/session.yaml")

  private func request(_ folder: TemporaryFolder) -> RenderRequest {
    var request = RenderRequest(Self.session, to: folder.path("call.mp4"))
    request.outputDefaults.size = ProposedSize(width: 160, height: 90)
    request.outputDefaults.to = MediaTime(seconds: 2)
    return request
  }

  @Test func plans() async throws {
    let folder = try TemporaryFolder()
    let plan = try await TesseraDelivery.plan(request(folder))
    #expect(plan.duration == MediaTime(seconds: 2))
    #expect(plan.participants.map(\.name).contains("Ben Okafor") || plan.participants.count > 4)
    #expect(plan.losses.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path("call.mp4")))
  }

  @Test func composes() async throws {
    let folder = try TemporaryFolder()
    let seen = ConditionLock([Int]())
    try await compose(request(folder), frames: 3..<8) { number, luma, blue, red in
      let hasPassed = luma.size == PixelSize(width: 160, height: 90) && blue.size == red.size
      seen.update { $0.append(hasPassed ? number : -1) }
    }
    #expect(seen.withLock(\.self) == [3, 4, 5, 6, 7])
    #expect(!FileManager.default.fileExists(atPath: folder.path("call.mp4")))
  }

  @Test func failuresAndStops() async throws {
    let folder = try TemporaryFolder()
    let missing = RenderRequest(folder.path("none.webm"), to: folder.path("call.mp4"))
    await #expect(throws: RenderError.self) { try await plan(missing) }
    let request = request(folder)
    let endless = Task { try await compose(request) { _, _, _, _ in usleep(100_000) } }
    try await Task.sleep(for: .milliseconds(300))
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
  }
}
