import TesseraMessages
package import TesseraSystem

/// Finds the task number of this process in a scheduler's job array.
package enum JobArrayIndex {
  /// Environment variables of schedulers that count from 0 or keep the array's own numbering
  /// (Slurm, PBS).
  private static let variables = [
    "JOB_COMPLETION_INDEX",  // Kubernetes, of an indexed job
    "AWS_BATCH_JOB_ARRAY_INDEX",
    "SLURM_ARRAY_TASK_ID",
    "PBS_ARRAY_INDEX",
    "BATCH_TASK_INDEX",  // Google Cloud Batch
    "CLOUD_RUN_TASK_INDEX",
  ]

  /// Returns the task number in the variables of `environment`, from 0.
  ///
  /// - Throws: ``RenderError`` of kind `usage` if no variable has a number, or two differ.
  package static func automatic(_ environment: [String: String]) throws(RenderError) -> Int {
    let found = values(environment)
    guard let first = found.first else {
      let remedy: UserMessage =
        environment["_CONDOR_JOB_AD"] == nil
        ? "give a number, such as \(option: "index") 0."
        : "HTCondor states it in the submit file: give \(option: "index") $(Process)."
      throw RenderError(
        .usage,
        "\(option: "index") auto finds no number of a task: none of "
          + "\((variables + ["SGE_TASK_ID", "LSB_JOBINDEX"]).joined(separator: ", ")) is set; \(remedy)"
      )
    }
    if let other = found.first(where: { $0.text != first.text }) {
      throw RenderError(
        .usage,
        "\(option: "index") auto finds two numbers of a task: \(first.name) is \(first.text), \(other.name) is "
          + "\(other.text); give the number, such as \(option: "index") 0.")
    }
    guard let number = Int(first.text), (0..<(1 << 30)).contains(number) else {
      throw RenderError(
        .usage,
        "\(option: "index") auto finds \(first.name)=\(first.text), which does not number a task; "
          + "give a number, such as \(option: "index") 0.")
    }
    return number
  }

  private static func values(_ environment: [String: String]) -> [(name: String, text: String)] {
    var found = variables.compactMap { name in environment[name].map { (name: name, text: $0) } }
    // Grid Engine: "undefined" outside of arrays.
    if let text = environment["SGE_TASK_ID"], text != "undefined" {
      let first = environment["SGE_TASK_FIRST"].flatMap(Int.init) ?? 1
      let step = max(1, environment["SGE_TASK_STEPSIZE"].flatMap(Int.init) ?? 1)
      let number = Int(text).flatMap { $0 >= first ? "\(($0 - first) / step)" : nil }
      found.append(("SGE_TASK_ID", number ?? text))
    }
    // LSF: 0 outside of arrays, whose first task is 1.
    if let text = environment["LSB_JOBINDEX"], text != "0" {
      found.append(("LSB_JOBINDEX", Int(text).flatMap { $0 > 0 ? "\($0 - 1)" : nil } ?? text))
    }
    return found
  }
}
