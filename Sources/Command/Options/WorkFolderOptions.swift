import ArgumentParser

/// Limits on the machine's use: parallel jobs and memory.
struct ResourceOptions: ParsableArguments {
  @Option("jobs") var jobs: String?
  @Option("memory") var memory: String?
}

/// The option `--executor`: processes, threads or a Slurm cluster.
struct ExecutorOption: ParsableArguments {
  @Option("executor") var executor: String?
}

/// Options for the work folder, retries after losses and the folder that inputs must be in.
struct WorkFolderOptions: ParsableArguments {
  @Option("work-dir") var workDir: String?
  @Flag("retry-losses") var retryLosses = false
  @Option("root") var root: String?
}

/// Options for the part of the timeline to render: cuts, ranges, chapters and clips.
struct TimeRangeOptions: ParsableArguments {
  @Option("cut") var cut: [String]
  @Option("keep") var keep: [String]
  @Option("edits") var edits: [String]
  @Option("without-fillers") var withoutFillers: String?
  @Option("tighten") var tighten: String?
  @Option("from") var from: String?
  @Option("to") var to: String?
  @Option("chapter") var chapter: String?
  @Option("clips") var clips: String?
  @Option("snap") var snap: String?
  @Option("max-duration") var maxDuration: String?
}
