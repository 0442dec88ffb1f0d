import Dispatch
import Foundation
import Glibc
package import TesseraSystem

/// Leave to keep processors busy, for a process that shares the machine with others of a batch.
///
/// The process holds a slot for what it does itself and lends it to its workers while it only waits
/// for them. The process that shares out the slots is at the other end of the standard input, a socket: when
/// it is gone, the process ends, as workers do.
package final class Slots: Sendable {
  /// The variable that says that the standard input leads to the process that shares out the machine.
  package static let variable = "TESSERA_SLOTS"

  /// Those of this process; nil where it has the machine to itself.
  package static let current: Slots? = isShared ? Slots(STDIN_FILENO) : nil

  /// Whether this process shares the machine: its standard input leads to who shares it out.
  package static var isShared: Bool {
    ProcessInfo.processInfo.environment[variable] != nil
  }

  /// Bytes of memory that reading or planning a call takes, about.
  package static let readingMemory = 128 << 20

  private struct State {
    var nextID = 0
    var share = Machine.cores
    /// What is called when a request is granted, or withdrawn.
    var waiting: [Int: @Sendable (Bool) -> Void] = [:]
    var own: Int?
  }

  private let descriptor: CInt
  private let state = Monitor(State())

  /// Slots that the process at the other end of the socket `descriptor` shares out.
  package init(_ descriptor: CInt) {
    self.descriptor = descriptor
    let thread = Thread { [self] in
      SlotLines.read(SlotGrant.self, from: descriptor) { self.granted($0) }
      _exit(143)
    }
    thread.stackSize = 512 << 10
    thread.start()
  }

  /// How many workers this process should expect to run at a time.
  package var share: Int { state.withLock { $0.share } }

  // MARK: What the process does itself

  /// Waits for a slot for what this process does itself.
  package func enter(_ cancellation: Cancellation) {
    let arrived = DispatchSemaphore(value: 0)
    let id = request({ .request(id: $0, memory: Self.readingMemory) }) { _ in arrived.signal() }
    wait(for: id, arrived, cancellation)
    state.update { $0.own = id }
  }

  /// Waits, where other calls are rendered at the same time, until the disk with `folder` has room
  /// for `bytes` beside what those may still write. The room is this process's until its end.
  package static func reserve(
    _ bytes: Int, in folder: String, _ cancellation: Cancellation
  ) {
    guard let slots = current else { return }
    let arrived = DispatchSemaphore(value: 0)
    let id = slots.request({ .room(id: $0, folder: folder, bytes: bytes) }) { _ in
      arrived.signal()
    }
    // A process that has to wait for others keeps no processor from them.
    if arrived.wait(timeout: .now() + .milliseconds(100)) == .success { return }
    lending(cancellation) { slots.wait(for: id, arrived, cancellation) }
  }

  private func wait(for id: Int, _ arrived: DispatchSemaphore, _ cancellation: Cancellation) {
    while arrived.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if cancellation.isCancelled { withdraw(id) }
    }
  }

  /// Runs `body`, which waits for workers, without the slot of this process.
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

  /// Runs `body` in a slot in which it takes `memory` bytes; nil where the task was canceled before
  /// there was one.
  package static func run<R: Sendable>(
    memory: Int, _ body: () async -> R
  ) async -> R? {
    guard let slots = current else { return await body() }
    guard let id = await slots.acquire(memory) else { return nil }
    defer { slots.release(id) }
    return await body()
  }

  private func acquire(_ memory: Int) async -> Int? {
    let number = Monitor(Int?.none)
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

  // MARK: The other end

  private func request(
    _ message: (Int) -> SlotMessage, _ then: @escaping @Sendable (Bool) -> Void
  ) -> Int {
    let id = state.withLock { state in
      state.nextID += 1
      state.waiting[state.nextID] = then
      return state.nextID
    }
    SlotLines.write(message(id), to: descriptor)
    return id
  }

  private func release(_ id: Int) {
    SlotLines.write(SlotMessage.release(id: id), to: descriptor)
  }

  /// Gives up a request that has not been granted yet.
  private func withdraw(_ id: Int) {
    guard let then = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
    release(id)
    then(false)
  }

  private func granted(_ grant: SlotGrant) {
    let then = state.withLock { state in
      state.share = grant.share
      return state.waiting.removeValue(forKey: grant.id)
    }
    then?(true)
  }
}
