package import TesseraSystem

/// Tasks of a cluster of which each is done or fails by itself, unlike the pieces of one render.
package struct ClusterArray<Machines: Cluster>: Sendable {
  private let cluster: Machines
  private let submission: ClusterSubmission
  private let count: Int
  /// How often a task is queued again that has ended without being done.
  private let retries: Int
  /// The time between two looks at the queue.
  private let pause: Duration

  /// `count` tasks that run `command`, followed by the task's number; its script and what tasks say
  /// goes into `folder`.
  package init(
    _ cluster: Machines, command: [String], count: Int, folder: String, retries: Int,
    pause: Duration = .seconds(1)
  ) {
    (self.cluster, self.count, self.retries, self.pause) = (cluster, count, retries, pause)
    submission = ClusterSubmission(
      "tessera-batch", command: command, count: count, atOnce: count, folder: folder,
      log: "\(folder)/%.log")
  }

  /// Queues all tasks and waits for their ends; `isDone` looks whether a task is done, and `look`
  /// is called between two looks. Returns the tasks that ended too often without being done.
  ///
  /// - Throws: where the cluster takes no tasks, and once `cancellation` is asked for; all are taken
  ///   back then.
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
      // Asked for before the folder is looked at, so that what ends in between is seen.
      let open = await cluster.open(id, count: count)
      if cancellation.isCancelled { throw .stopped(cancellation) }
      waiting = waiting.filter { !isDone($0) }
      try look()
      // What a machine has written may be seen a moment after its task has left the queue.
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
      do {
        try await Task.sleep(for: pause)
      } catch {
        throw .stopped(cancellation)
      }
    }
  }
}
