import TesseraJobs
import TesseraSystem
import TestSupport
import Testing

@Suite("Cluster array with failing tasks", .timed) struct ClusterJobArrayTests {
  /// A cluster whose tasks end at once, some of them unfinished.
  private struct Played: ClusterQueue {
    struct State {
      var attempts: [Int: Int] = [:]
      var cancelled: [String] = []
      /// The number of runs that a task needs to finish; a task without an entry never finishes.
      var needed: [Int: Int] = [:]
    }

    let state = ConditionLock(State())
    var name: String { "played" }

    func submit(_ submission: ClusterSubmission) async throws(RenderError) -> String {
      state.update { state in for task in 0..<4 { state.attempts[task] = 1 } }
      return "7"
    }
    func open(_ id: String, count: Int) async -> Set<Int> { [] }
    func isOpen(_ id: String) async -> Bool { false }
    func requeue(_ id: String, _ task: Int) async throws(RenderError) {
      state.update { $0.attempts[task, default: 0] += 1 }
    }
    func cancel(_ ids: [String]) async { state.update { $0.cancelled += ids } }

    func isDone(_ task: Int) -> Bool {
      state.withLock { state in
        state.needed[task].map { state.attempts[task, default: 0] >= $0 } ?? false
      }
    }
  }

  @Test("A task that ends unfinished is queued again, and finally fails alone")
  func requeues() async throws {
    let cluster = Played()
    cluster.state.update { $0.needed = [0: 1, 1: 2, 2: 3] }
    let array = ClusterJobArray(
      cluster, command: ["x"], count: 4, folder: "/tmp", retries: 2, pause: .milliseconds(1))
    let lost = try await array.run(Cancellation(), isDone: cluster.isDone, look: {})
    #expect(lost == [3])
    #expect(cluster.state.withLock { $0.attempts } == [0: 1, 1: 2, 2: 3, 3: 3])
  }

  @Test("A stop cancels the whole array")
  func stops() async throws {
    let (cluster, cancellation) = (Played(), Cancellation())
    let array = ClusterJobArray(
      cluster, command: ["x"], count: 4, folder: "/tmp", retries: 1, pause: .milliseconds(1))
    await #expect(throws: RenderError.self) {
      _ = try await array.run(
        cancellation, isDone: { _ in false }, look: { cancellation.cancel() })
    }
    #expect(cluster.state.withLock { $0.cancelled } == ["7"])
  }
}
