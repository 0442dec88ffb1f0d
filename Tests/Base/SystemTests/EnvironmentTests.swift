import TestSupport
import Testing

@testable import TesseraSystem

@Suite("Folders and cores from the environment", .timed) struct EnvironmentTests {
  @Test func folders() {
    let environment = [
      "XDG_CACHE_HOME": "/a", "XDG_STATE_HOME": "here", "HOME": "/b", "TMPDIR": "/c",
    ]
    #expect(UserDataFolder.cache.path(environment) == "/a/tessera")
    #expect(UserDataFolder.state.path(environment) == "/b/.local/state/tessera")
    #expect(UserDataFolder.cache.path(["HOME": "/b"]) == "/b/.cache/tessera")
    #expect(UserDataFolder.cache.path(["XDG_CACHE_HOME": "here"]) == nil)
  }

  @Test("Without a home folder, the scheduler's scratch folder is used")
  func scratch() {
    #expect(UserDataFolder.state.path(["TMPDIR": "/c"]) == "/c/tessera-state")
    #expect(
      UserDataFolder.cache.path(["_CONDOR_SCRATCH_DIR": "/d", "TMPDIR": "/c"]) == "/d/tessera-cache"
    )
  }

  @Test("OMP_NUM_THREADS counts only beside a scheduler's variable")
  func cores() {
    #expect(MachineResources.scheduledCores(["OMP_NUM_THREADS": "3"]) == nil)
    #expect(MachineResources.scheduledCores(["SLURM_JOB_ID": "1"]) == nil)
    for name in ["SLURM_JOB_ID", "SGE_TASK_ID", "LSB_JOBID", "PBS_JOBID", "_CONDOR_JOB_AD"] {
      #expect(MachineResources.scheduledCores(["OMP_NUM_THREADS": "3", name: "1"]) == 3)
    }
    #expect(MachineResources.scheduledCores(["OMP_NUM_THREADS": "0", "PBS_JOBID": "1"]) == 1)
    #expect(MachineResources.scheduledCores(["OMP_NUM_THREADS": "2,4", "PBS_JOBID": "1"]) == nil)
  }
}
