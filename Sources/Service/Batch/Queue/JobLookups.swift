import TesseraDelivery
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// Looks up which jobs are already finished, and returns the jobs in their order.
///
/// Local files are checked immediately. Remote jobs are checked in parallel, because each request
/// takes a network round trip.
final class JobLookups {
  /// A job and the provenance of its finished outputs; `made` is `nil` if the job must be rendered.
  struct LookupResult: Sendable {
    var work: JobQueue.Work
    var made: OutputProvenance?
  }

  /// A pending or completed lookup of one job.
  private final class Lookup: Sendable {
    let work: JobQueue.Work
    let begin = ContinuousClock.now
    let found = ConditionLock(LookupResult?.none)

    init(_ work: JobQueue.Work) { self.work = work }
  }

  /// The jobs that were not started yet, in order.
  private var window: [Lookup] = []
  private var threads: WorkerThreads?
  private let pending = BoundedQueue<Lookup>(capacity: windowSize)
  private let stores: JobStores
  private let cancellation = Cancellation()

  /// The number of concurrent lookups, and of jobs that wait in the window.
  private static let (threadCount, windowSize) = (16, 48)
  /// The time for which a lookup's result is trusted.
  private static let patience = Duration.seconds(60)

  init() { stores = JobStores(cancellation) }

  /// True if no job is left.
  var isEmpty: Bool { window.isEmpty }

  /// True if another job should be added: the window has room, and the first job's result is still
  /// pending.
  var wantsMore: Bool {
    guard let first = window.first else { return true }
    return window.count < Self.windowSize && first.found.withLock { $0 == nil }
  }

  /// Adds a job and starts its lookup.
  func add(_ work: JobQueue.Work) { window.append(look(work)) }

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

  private func look(_ work: JobQueue.Work) -> Lookup {
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
    threads = WorkerThreads(count: Self.threadCount, name: "lookup") {
      while let lookup = pending.take() {
        let store = stores.store(for: lookup.work.job)
        lookup.found.update { $0 = Self.found(lookup.work, store) }
      }
    }
  }

  private static func found(_ work: JobQueue.Work, _ store: Store?) -> LookupResult {
    var work = work
    work.digest = JobDigest.text(of: work.job, store)
    return LookupResult(work: work, made: work.job.finished(work.digest, store))
  }
}

/// Caches object stores, one for each distinct set of fetch settings.
private final class JobStores: Sendable {
  /// The fetch settings of a job.
  private struct Fetching: Hashable {
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
  private let stores = ConditionLock<[Fetching: Store]>([:])

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// Returns the store for a job, or `nil` if its fetch settings are invalid. The job's own process
  /// reports that error.
  func store(for job: BatchJob) -> Store? {
    let execution = job.request.execution
    return stores.withLock { stores in
      if let store = stores[Fetching(execution)] { return store }
      let store = try? execution.store(cancellation)
      stores[Fetching(execution)] = store
      return store
    }
  }
}
