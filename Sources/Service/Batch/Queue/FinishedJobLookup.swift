import TesseraDelivery
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// Looks up which jobs are already finished, and returns the jobs in their order.
///
/// Local files are checked immediately. Remote jobs are checked in parallel, because each request
/// takes a network round trip.
final class FinishedJobLookup {
  /// A job and the provenance of its finished outputs; `made` is `nil` if the job must be rendered.
  struct LookupResult: Sendable {
    var work: JobQueue.QueuedJob
    var made: OutputProvenance?
  }

  /// A pending or completed lookup of one job.
  private final class Lookup: Sendable {
    let work: JobQueue.QueuedJob
    let begin = ContinuousClock.now
    let found = ConditionLock(LookupResult?.none)

    init(_ work: JobQueue.QueuedJob) { self.work = work }
  }

  /// The jobs that were not started yet, in order.
  private var window: [Lookup] = []
  private var threads: ThreadGroup?
  private let pending = BoundedQueue<Lookup>(capacity: windowSize)
  private let stores: JobStoreCache
  private let cancellation = Cancellation()

  /// The number of concurrent lookups, and of jobs that wait in the window.
  private static let (threadCount, windowSize) = (16, 48)
  /// The time for which a lookup's result is trusted.
  private static let patience = Duration.seconds(60)

  init() { stores = JobStoreCache(cancellation) }

  /// True if no job is left.
  var isEmpty: Bool { window.isEmpty }

  /// True if another job should be added: the window has room, and the first job's result is still
  /// pending.
  var wantsMore: Bool {
    guard let first = window.first else { return true }
    return window.count < Self.windowSize && first.found.withLock { $0 == nil }
  }

  /// Adds a job and starts its lookup.
  func add(_ work: JobQueue.QueuedJob) { window.append(look(work)) }

  /// Returns the next job if its lookup has completed, and removes it from the window; otherwise
  /// `nil`.
  func next() -> LookupResult? {
    guard let first = window.first else { return nil }
    guard let found = first.found.withLock(\.self) else { return nil }
    if found.made == nil, first.work.attempts == 0, .now - first.begin > Self.patience {
      // The inputs may have changed since the lookup.
      window[0] = look(first.work)
      return nil
    }
    window.removeFirst()
    return found
  }

  func cancel() { cancellation.cancel() }

  /// Cancels pending lookups and waits for the threads.
  func end() {
    cancel()
    pending.close()
    threads?.join()
  }

  private func look(_ work: JobQueue.QueuedJob) -> Lookup {
    let lookup = Lookup(work)
    if work.attempts > 0 {
      lookup.found.update { $0 = LookupResult(work: work) }
    } else if !work.job.request.isRemote {
      lookup.found.update { $0 = Self.found(work, nil) }
    } else {
      begin()
      _ = pending.put(lookup)
    }
    return lookup
  }

  private func begin() {
    guard threads == nil else { return }
    let (pending, stores) = (pending, stores)
    threads = ThreadGroup(count: Self.threadCount, name: "lookup") {
      while let lookup = pending.take() {
        let store = stores.store(for: lookup.work.job)
        lookup.found.update { $0 = Self.found(lookup.work, store) }
      }
    }
  }

  private static func found(_ work: JobQueue.QueuedJob, _ store: ObjectStore?) -> LookupResult {
    var work = work
    work.digest = JobDigester.text(of: work.job, store)
    return LookupResult(work: work, made: work.job.finished(work.digest, store))
  }
}

/// Caches object stores, one for each distinct set of fetch settings.
private final class JobStoreCache: Sendable {
  /// The fetch settings of a job.
  private struct FetchSettings: Hashable {
    let limit: Int?
    let redirects: Bool?
    let cache: String?
    let secrets: String?

    init(_ execution: ExecutionOptions) {
      (limit, redirects) = (execution.inputSizeLimit, execution.followsRedirects)
      (cache, secrets) = (execution.fetchCache, execution.secrets)
    }
  }

  private let cancellation: Cancellation
  private let stores = ConditionLock<[FetchSettings: ObjectStore]>([:])

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// Returns the store for a job, or `nil` if its fetch settings are invalid. The job's own process
  /// reports that error.
  func store(for job: BatchJob) -> ObjectStore? {
    let execution = job.request.execution
    return stores.withLock { stores in
      if let store = stores[FetchSettings(execution)] { return store }
      let store = try? execution.store(cancellation)
      stores[FetchSettings(execution)] = store
      return store
    }
  }
}
