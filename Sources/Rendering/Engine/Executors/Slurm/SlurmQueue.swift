/// What the queue says of an array's tasks.
struct SlurmQueue: Hashable {
  /// The tasks that wait or run.
  var open: Set<Int> = []
  /// The tasks that have failed.
  var failed: Set<Int> = []

  /// The states of what was done, and of what never will be.
  static let done = "COMPLETED"
  static let failures: Set = [
    "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "CANCELLED", "DEADLINE", "BOOT_FAIL",
  ]

  /// Reads what `sacct` or `squeue` print of an array of `count` tasks, as `JOB_TASK|STATE`; tasks
  /// that wait are one line for all: `7_[3-9]`, or `7_3-9%4`.
  init(_ text: String, count: Int) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "|")
      guard parts.count >= 2, let place = parts[0].split(separator: "_").last else { continue }
      let state = parts[1].split(separator: " ").first ?? ""
      let tasks = Self.tasks(place, count: count)
      if Self.failures.contains(String(state)) {
        failed.formUnion(tasks)
      } else if state != Self.done {
        open.formUnion(tasks)
      }
    }
  }

  private static func tasks(_ text: Substring, count: Int) -> Set<Int> {
    if let number = Int(text) { return [number] }
    var tasks: Set<Int> = []
    let list = text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
    for part in list.split(separator: ",") {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last, first < count else {
        continue
      }
      tasks.formUnion(max(0, first)...max(0, min(last, count - 1)))
    }
    return tasks
  }
}
