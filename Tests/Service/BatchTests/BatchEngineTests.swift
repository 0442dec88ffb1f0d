import Glibc
import TesseraJobs
import TesseraPlanning
import TesseraRequest
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraBatch

@Suite("The processes of a batch", .timed) struct BatchEngineTests {
  @Test("A job that dies is retried, and its reported result counts")
  func ends() {
    func end(_ process: ChildProcess.Termination, _ exit: Int32? = nil) -> BatchJobProcess.Outcome {
      BatchJobProcess.Outcome(process: process, result: exit.map { CommandResult(exit: $0) })
    }
    // The end of a job that lost its slot server, without a result.
    let lost = end(.exit(143))
    #expect(lost.isTransient && lost.code == 143 && lost.error.contains("exit code 143"))
    let killed = end(.signal(SIGKILL))
    #expect(killed.isTransient && killed.code == 137 && killed.error.contains("signal 9"))
    #expect(!end(.exit(1), 1).isTransient && end(.exit(75), 75).isTransient)
    // A job that reported an error and died at its exit.
    var failed = end(.exit(143), 1)
    failed.result?.error = "no recording"
    #expect(!failed.isTransient && failed.code == 1 && failed.error == "no recording")
  }

  @Test("A request that arrives after the end of its job takes no slot")
  func lateRequest() throws {
    let server = BatchResourceServer(slots: 1, memory: 1 << 30)
    let request = RenderRequest("in", to: "out.mp4")
    let ends = [try server.connect(1, request), try server.connect(2, request)]
    server.hear(.request(id: 1, memory: 1), of: 1)
    #expect(server.busy == 1 && server.begin(of: 1) != nil)
    server.disconnect(1)
    server.hear(.request(id: 2, memory: 1), of: 1)
    #expect(server.busy == 0 && server.begin(of: 1) == nil)
    server.hear(.request(id: 1, memory: 1), of: 2)
    #expect(server.busy == 1)
    withExtendedLifetime(ends) {}
  }
}
