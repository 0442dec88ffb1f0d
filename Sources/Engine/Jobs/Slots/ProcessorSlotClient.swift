import Dispatch
import Foundation
import Glibc
package import TesseraSystem

/// The client of the batch coordinator's slots, in a process that shares the machine with other
/// jobs of a batch.
///
/// The process owns one slot for its own work and returns it while it only waits for its workers.
/// Standard input is a socket to the coordinator. When the coordinator is gone, the process ends,
/// as workers do.
package final class ProcessorSlotClient: Sendable {
  /// The environment variable that marks standard input as a socket to the coordinator.
  package static let variable = "TESSERA_SLOTS"

  /// The slots of this process; nil if the process has the machine to itself.
  package static let current: ProcessorSlotClient? =
    isShared ? ProcessorSlotClient(STDIN_FILENO) : nil

  /// True if this process shares the machine with other jobs of a batch. Does not copy the
  /// environment, which may have secrets.
  package static var isShared: Bool { unsafe getenv(variable) != nil }

  /// Estimated bytes of memory for reading or planning a call.
  package static let readingMemory = 128 << 20

  private struct State {
    var nextID = 0
    var share = MachineResources.cores
    /// Callbacks by request: called with true when granted, with false when withdrawn.
    var waiting: [Int: @Sendable (Bool) -> Void] = [:]
    var own: Int?
  }

  private let descriptor: CInt
  private let state = ConditionLock(State())

  /// Creates a client of the coordinator at the other end of the socket `descriptor`.
  package init(_ descriptor: CInt) {
    self.descriptor = descriptor
    _ = ThreadGroup(count: 1, name: "slots") { [self] in
      JSONLineChannel.read(ResourceGrant.self, from: descriptor) { self.granted($0) }
      _exit(143)
    }
  }

  /// Number of workers that this process should expect to run at once.
  package var share: Int { state.withLock { $0.share } }

  // MARK: The process's own slot

  /// Waits for a slot for this process's own work. Returns early if it is canceled.
  package func enter(_ cancellation: Cancellation) {
    let arrived = DispatchSemaphore(value: 0)
    let id = request({ .request(id: $0, memory: Self.readingMemory) }) { _ in arrived.signal() }
    wait(for: id, arrived, cancellation)
    state.update { $0.own = id }
  }

  /// Waits until the disk with `folder` has room for `bytes` besides what other jobs of the batch
  /// may still write. The reservation lasts until this process ends. Returns at once outside a
  /// batch.
  package static func reserve(
    _ bytes: Int, in folder: String, _ cancellation: Cancellation
  ) {
    guard let slots = current else { return }
    let arrived = DispatchSemaphore(value: 0)
    let id = slots.request({ .room(id: $0, folder: folder, bytes: bytes) }) { _ in
      arrived.signal()
    }
    // Return this process's slot while it has to wait for others.
    if arrived.wait(timeout: .now() + .milliseconds(100)) == .success { return }
    lending(cancellation) { slots.wait(for: id, arrived, cancellation) }
  }

  private func wait(for id: Int, _ arrived: DispatchSemaphore, _ cancellation: Cancellation) {
    while arrived.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if cancellation.isCancelled { withdraw(id) }
    }
  }

  /// Runs `body`, which waits for workers, without this process's own slot.
  package static func lending<R, E: Error>(
    _ cancellation: Cancellation, _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard let slots = current, let own = slots.state.withLock({ $0.own }) else {
      return try body()
    }
    slots.release(own)
    defer { slots.enter(cancellation) }
    return try body()
  }

  // MARK: Workers

  /// Runs `body` in a slot with `memory` bytes; returns nil if the task was canceled before a slot
  /// was granted.
  package static func inSlot<R: Sendable>(
    memory: Int, _ body: () async -> R
  ) async -> R? {
    guard let slots = current else { return await body() }
    guard let id = await slots.acquire(memory) else { return nil }
    defer { slots.release(id) }
    return await body()
  }

  private func acquire(_ memory: Int) async -> Int? {
    let number = ConditionLock(Int?.none)
    let isGranted = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let id = request({ .request(id: $0, memory: memory) }) {
          continuation.resume(returning: $0)
        }
        number.update { $0 = id }
        if Task.isCancelled { withdraw(id) }
      }
    } onCancel: {
      if let id = number.withLock({ $0 }) { withdraw(id) }
    }
    return isGranted ? number.withLock { $0 } : nil
  }

  // MARK: Messages

  private func request(
    _ message: (Int) -> ResourceClientMessage, _ then: @escaping @Sendable (Bool) -> Void
  ) -> Int {
    let id = state.withLock { state in
      state.nextID += 1
      state.waiting[state.nextID] = then
      return state.nextID
    }
    JSONLineChannel.write(message(id), to: descriptor)
    return id
  }

  private func release(_ id: Int) {
    JSONLineChannel.write(ResourceClientMessage.release(id: id), to: descriptor)
  }

  /// Withdraws a request that is not granted yet.
  private func withdraw(_ id: Int) {
    guard let then = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
    release(id)
    then(false)
  }

  private func granted(_ grant: ResourceGrant) {
    let then = state.withLock { state in
      state.share = grant.share
      return state.waiting.removeValue(forKey: grant.id)
    }
    then?(true)
  }
}
