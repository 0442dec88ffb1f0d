import TesseraSystem
import TestSupport
import Testing

@testable import TesseraSystem

@Suite(.timed) struct CgroupLimitsTests {
  private func groups(_ files: [String: String]) -> CgroupLimits {
    CgroupLimits(reading: { files[$0] })
  }

  @Test("Version 2: the lowest limit of the group and its parents counts")
  func unified() {
    let found = groups([
      "/proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
      "/proc/self/cgroup": "0::/a/b\n",
      "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/a/cpu.max": "250000 100000\n",
      "/sys/fs/cgroup/a/b/memory.max": "1000000\n",
      "/sys/fs/cgroup/a/b/memory.current": "600000\n",
      "/sys/fs/cgroup/a/b/memory.stat": "anon 300000\ninactive_file 200000\n",
      "/sys/fs/cgroup/a/memory.max": "max\n",
    ])
    #expect(found.processors == 3)
    #expect(found.memoryLimit == 1_000_000)
    #expect(found.freeMemory == 600_000)
  }

  @Test("Version 1, with the group's own folder mounted, as in a container")
  func controllers() {
    let found = groups([
      "/proc/self/mountinfo": """
      32 31 0:29 /docker/1 /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
      35 31 0:32 /docker/1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
      """,
      "/proc/self/cgroup": "4:memory:/docker/1\n2:cpu,cpuacct:/docker/1\n1:name=systemd:/x\n",
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "50000\n",
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
    ])
    #expect(found.processors == 1)
    #expect(found.memoryLimit == nil)
  }

  @Test("Missing limits, missing files and invalid files impose no limit")
  func nothing() {
    #expect(groups([:]).processors == nil)
    let odd = groups([
      "/proc/self/mountinfo": "x\n1 2 3 - cgroup2\n30 23 0:26 / /c rw - cgroup2 cgroup2 rw",
      "/proc/self/cgroup": "0::/\nnonsense\n",
      "/c/cpu.max": "-1 0", "/c/memory.max": "many",
    ])
    #expect(odd.processors == nil)
    #expect(odd.freeMemory == nil)
  }

  @Test("This process may use a processor and some memory")
  func here() {
    #expect(MachineResources.cores >= 1)
    #expect(
      MachineResources.freeMemory > 0 && MachineResources.freeMemory <= MachineResources.totalMemory
    )
    #expect((FileSystemInfo.freeBytes(at: "/") ?? 0) > 0)
  }
}
