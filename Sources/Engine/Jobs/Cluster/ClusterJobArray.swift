package import TesseraSystem

/// An array of independent tasks on a cluster: each succeeds or fails by itself, unlike the jobs of
/// one render (see ``ClusterExecutor``).
package struct ClusterJobArray<Machines: ClusterQueue>: Sendable {
  private let cluster: Machines
  private let submission: ClusterSubmission
  private let count: Int
  /// Number of retries of a task that ended without being done.
  private let retries: Int
  /// The interval between two queries of the queue.
  private let pause: Duration

  /// Creates an array of `count` tasks that run `command` followed by the task's number. The script
  /// and the tasks' logs are stored in `folder`.
  package init(
    _ cluster: Machines, command: [String], count: Int, folder: String, retries: Int,
    pause: Duration = .seconds(1)
  ) {
    (self.cluster, self.count, self.retries, self.pause) = (cluster, count, retries, pause)
    submission = ClusterSubmission(
      "tessera-batch", command: command, count: count, atOnce: count, folder: folder,
      log: "\(folder)/%.log")
  }

  /// Submits all tasks and waits until they end. Returns the tasks that were still not done after
  /// all retries.
  ///
  /// - Parameters:
  ///   - cancellation: stops waiting and cancels all tasks.
  ///   - isDone: returns true if a task is done.
  ///   - look: is called at each poll of the queue.
  /// - Returns: the tasks that ended too often without being done.
  /// - Throws: ``RenderError`` if the cluster accepts no tasks or `cancellation` is requested. All
  ///   tasks are canceled then.
  package func run(
    _ cancellation: Cancellation, isDone: @Sendable (Int) -> Bool,
    look: @Sendable () throws(RenderError) -> Void
  ) async throws(RenderError) -> Set<Int> {
    let id = try await cluster.submit(submission)
    do throws(RenderError) {
      return try await wait(id, cancellation, isDone, look)
    } catch {
      await cluster.cancel([id])
      throw error
    }
  }

  private func wait(
    _ id: String, _ cancellation: Cancellation, _ isDone: (Int) -> Bool,
    _ look: () throws(RenderError) -> Void
  ) async throws(RenderError) -> Set<Int> {
    var waiting = Set(0..<count)
    var lost: Set<Int> = []
    var suspects: Set<Int> = []
    var attempts: [Int: Int] = [:]
    while true {
      // Query the queue before the folder, so that a task that ends in between is found.
      let open = await cluster.open(id, count: count)
      if cancellation.isCancelled { throw .stopped(cancellation) }
      waiting = waiting.filter { !isDone($0) }
      try look()
      // Files may become visible a moment after their task has left the queue.
      let gone = waiting.subtracting(open)
      for task in gone.intersection(suspects).sorted() {
        attempts[task, default: 0] += 1
        if attempts[task, default: 0] <= retries {
          try await cluster.requeue(id, task)
        } else {
          lost.insert(task)
          waiting.remove(task)
        }
      }
      suspects = gone.subtracting(suspects)
      if waiting.isEmpty { return lost }
      try await cancellation.sleep(for: pause)
    }
  }
}
