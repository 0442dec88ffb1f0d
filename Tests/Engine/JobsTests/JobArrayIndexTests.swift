import TesseraJobs
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@Suite("Array task index", .timed) struct JobArrayIndexTests {
  @Test(arguments: [
    "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "SLURM_ARRAY_TASK_ID",
    "PBS_ARRAY_INDEX", "BATCH_TASK_INDEX", "CLOUD_RUN_TASK_INDEX",
  ])
  func indexIsReadFromItsVariable(name: String) throws {
    #expect(try JobArrayIndex.automatic([name: "7", "HOME": "/root"]) == 7)
  }

  @Test(
    "Schedulers with other first indices",
    arguments: [
      (["SGE_TASK_ID": "8"], 7),
      (["SGE_TASK_ID": "14", "SGE_TASK_FIRST": "2", "SGE_TASK_STEPSIZE": "4"], 3),
      (["LSB_JOBINDEX": "3"], 2),
      (["SGE_TASK_ID": "undefined", "LSB_JOBINDEX": "0", "PBS_ARRAY_INDEX": "5"], 5),
    ])
  func indexIsConverted(environment: [String: String], number: Int) throws {
    #expect(try JobArrayIndex.automatic(environment) == number)
  }

  @Test func noIndexInHTCondorIsExplained() {
    let error = #expect(throws: RenderError.self) {
      try JobArrayIndex.automatic(["_CONDOR_JOB_AD": "/scratch/.job.ad"])
    }
    #expect(error?.commandLine.contains("--index $(Process)") == true)
  }

  @Test func equalNumbersAgree() throws {
    let both = ["JOB_COMPLETION_INDEX": "3", "SLURM_ARRAY_TASK_ID": "3"]
    #expect(try JobArrayIndex.automatic(both) == 3)
  }

  @Test(arguments: [
    [:], ["SGE_TASK_ID": "undefined"], ["LSB_JOBINDEX": "0"], ["SGE_TASK_ID": "x"],
    ["SLURM_ARRAY_TASK_ID": "undefined"], ["SLURM_ARRAY_TASK_ID": "-1"],
    ["JOB_COMPLETION_INDEX": "3", "SLURM_ARRAY_TASK_ID": "4"],
  ])
  func severalOrInvalidIndicesAreUsageErrors(environment: [String: String]) {
    let error = #expect(throws: RenderError.self) { try JobArrayIndex.automatic(environment) }
    #expect(error?.kind == .usage && error?.commandLine.contains("--index") == true)
  }
}
