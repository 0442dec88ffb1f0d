import TesseraJobs
import TesseraSystem
import TestSupport
import Testing

@Suite("The number of a task as schedulers say it", .timed) struct ArrayIndexTests {
  @Test(arguments: [
    "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "SLURM_ARRAY_TASK_ID",
    "BATCH_TASK_INDEX", "CLOUD_RUN_TASK_INDEX",
  ])
  func isReadFromItsVariable(name: String) throws {
    #expect(try ArrayIndex.automatic([name: "7", "HOME": "/root"]) == 7)
  }

  @Test func equalNumbersAgree() throws {
    let both = ["JOB_COMPLETION_INDEX": "3", "SLURM_ARRAY_TASK_ID": "3"]
    #expect(try ArrayIndex.automatic(both) == 3)
  }

  @Test(arguments: [
    [:], ["SLURM_ARRAY_TASK_ID": "undefined"], ["SLURM_ARRAY_TASK_ID": "-1"],
    ["JOB_COMPLETION_INDEX": "3", "SLURM_ARRAY_TASK_ID": "4"],
  ])
  func whatIsNotOneNumberIsAUsageError(environment: [String: String]) {
    let error = #expect(throws: RenderError.self) { try ArrayIndex.automatic(environment) }
    #expect(error?.kind == .usage && error?.message.contains("--index") == true)
  }
}
