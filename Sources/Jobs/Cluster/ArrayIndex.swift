package import TesseraSystem

/// Which task of an array this process is, as schedulers say it.
package enum ArrayIndex {
  /// The variables that schedulers set, which all count from 0 (Slurm: as the array was numbered).
  private static let variables = [
    "JOB_COMPLETION_INDEX",  // Kubernetes, of an indexed job
    "AWS_BATCH_JOB_ARRAY_INDEX",
    "SLURM_ARRAY_TASK_ID",
    "BATCH_TASK_INDEX",  // Google Cloud Batch
    "CLOUD_RUN_TASK_INDEX",
  ]

  /// The number of the task by `environment`.
  ///
  /// - Throws: where no variable says it, or two say different numbers.
  package static func automatic(_ environment: [String: String]) throws(RenderError) -> Int {
    let found = variables.compactMap { name in environment[name].map { (name: name, text: $0) } }
    guard let first = found.first else {
      throw RenderError(
        .usage,
        "--index auto finds no number of a task: none of \(variables.joined(separator: ", ")) is set; "
          + "give a number, such as --index 0.")
    }
    if let other = found.first(where: { $0.text != first.text }) {
      throw RenderError(
        .usage,
        "--index auto finds two numbers of a task: \(first.name) is \(first.text), \(other.name) is "
          + "\(other.text); give the number, such as --index 0.")
    }
    guard let number = Int(first.text), (0..<(1 << 30)).contains(number) else {
      throw RenderError(
        .usage,
        "--index auto finds \(first.name)=\(first.text), which does not number a task; give a number, "
          + "such as --index 0.")
    }
    return number
  }
}
