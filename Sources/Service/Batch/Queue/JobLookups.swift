import TesseraDelivery
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// Finds out which jobs earlier runs have finished, in the jobs' order.
///
/// Files are looked at at once; what lies in buckets is asked for several jobs at a time, as each
/// question takes its way over the network.
final class JobLookups {
  /// A job, and what an earlier run has made of it.
  struct Found: Sendable {
    var work: JobQueue.Work
    var made: MadeFrom?
  }

  /// A job that is looked up.
  private final class Lookup: Sendable {
    let work: JobQueue.Work
    let begin = ContinuousClock.now
    let found = Monitor(Found?.none)

    init(_ work: JobQueue.Work) { self.work = work }
  }

  /// Jobs that are not begun yet, the first one first.
  private var window: [Lookup] = []
  private var threads: WorkerThreads?
  private let pending = BoundedQueue<Lookup>(capacity: windowSize)
  private let stores: JobStores
  private let cancellation = Cancellation()

  /// How many jobs are asked for at a time, and how many more wait for that.
  private static let (threadCount, windowSize) = (16, 48)
  /// How long what was found is believed.
  private static let patience = Duration.seconds(60)

  init() { stores = JobStores(cancellation) }

  /// Whether no job is left.
  var isEmpty: Bool { window.isEmpty }

  /// Whether another job may be added: where none is known to be next.
  var wantsMore: Bool {
    guard let first = window.first else { return true }
    return window.count < Self.windowSize && first.found.withLock { $0 == nil }
  }

  /// Adds a job.
  func add(_ work: JobQueue.Work) { window.append(look(work)) }

  /// The next job, where it is known what has become of it.
  func next() -> Found? {
    guard let first = window.first else { return nil }
    guard let found = first.found.withLock(\.self) else { return nil }
    if found.made == nil, first.work.attempts == 0, .now - first.begin > Self.patience {
      // Its inputs may be others by now.
      window[0] = look(first.work)
      return nil
    }
    window.removeFirst()
    return found
  }

  /// Has questions end early.
  func cancel() { cancellation.cancel() }

  /// Ends the threads.
  func end() {
    cancel()
    pending.close()
    threads?.join()
  }

  private func look(_ work: JobQueue.Work) -> Lookup {
    let lookup = Lookup(work)
    if work.attempts > 0 {
      lookup.found.update { $0 = Found(work: work) }
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

  private static func found(_ work: JobQueue.Work, _ store: Store?) -> Found {
    var work = work
    work.digest = JobDigest.text(of: work.job, store)
    return Found(work: work, made: work.job.finished(work.digest, store))
  }
}

/// The stores of jobs, one for all that fetch in the same way.
private final class JobStores: Sendable {
  /// What of a job's means is about fetching.
  private struct Fetching: Hashable {
    let limit: Int?
    let redirects: Bool?
    let cache: String?
    let secrets: String?

    init(_ means: RequestMeans) {
      (limit, redirects) = (means.inputSizeLimit, means.followsRedirects)
      (cache, secrets) = (means.fetchCache, means.secrets)
    }
  }

  private let cancellation: Cancellation
  private let stores = Monitor<[Fetching: Store]>([:])

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// nil where its means are wrong, which it says itself.
  func store(for job: BatchJob) -> Store? {
    let means = job.request.means
    return stores.withLock { stores in
      if let store = stores[Fetching(means)] { return store }
      let store = try? means.store(cancellation)
      stores[Fetching(means)] = store
      return store
    }
  }
}
