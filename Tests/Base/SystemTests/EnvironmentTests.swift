import TestSupport
import Testing

@testable import TesseraSystem

@Suite("Folders and cores from the environment", .timed) struct EnvironmentTests {
  @Test func folders() {
    let environment = [
      "XDG_CACHE_HOME": "/a", "XDG_STATE_HOME": "here", "HOME": "/b", "TMPDIR": "/c",
    ]
    #expect(UserFolder.cache.path(environment) == "/a/tessera")
    #expect(UserFolder.state.path(environment) == "/b/.local/state/tessera")
    #expect(UserFolder.cache.path(["HOME": "/b"]) == "/b/.cache/tessera")
    #expect(UserFolder.cache.path(["XDG_CACHE_HOME": "here"]) == nil)
  }

  @Test("Without a home folder, the scheduler's scratch folder is used")
  func scratch() {
    #expect(UserFolder.state.path(["TMPDIR": "/c"]) == "/c/tessera-state")
    #expect(
      UserFolder.cache.path(["_CONDOR_SCRATCH_DIR": "/d", "TMPDIR": "/c"]) == "/d/tessera-cache")
  }

  @Test("OMP_NUM_THREADS counts only beside a scheduler's variable")
  func cores() {
    #expect(Machine.scheduledCores(["OMP_NUM_THREADS": "3"]) == nil)
    #expect(Machine.scheduledCores(["SLURM_JOB_ID": "1"]) == nil)
    for name in ["SLURM_JOB_ID", "SGE_TASK_ID", "LSB_JOBID", "PBS_JOBID", "_CONDOR_JOB_AD"] {
      #expect(Machine.scheduledCores(["OMP_NUM_THREADS": "3", name: "1"]) == 3)
    }
    #expect(Machine.scheduledCores(["OMP_NUM_THREADS": "0", "PBS_JOBID": "1"]) == 1)
    #expect(Machine.scheduledCores(["OMP_NUM_THREADS": "2,4", "PBS_JOBID": "1"]) == nil)
  }
}
