import Foundation
import TesseraJobs
import TesseraRequest
import TesseraSystem

/// Grants slots, memory and disk space to the processes of a batch. Each process is connected by a
/// socket.
final class SlotServer: Sendable {
  private struct State {
    var ledger: SlotLedger
    var disks = DiskLedger()
    /// The requests for disk space that were already reported as waiting.
    var waiting: Set<DiskLedger.Request> = []
    var sockets: [Int: SharedDescriptor] = [:]
    var begun: [Int: ContinuousClock.Instant] = [:]

    /// Notifies `job` that its request `id` is granted.
    func sendGrant(_ job: Int, _ id: Int) {
      guard let socket = sockets[job] else { return }
      SlotLines.write(SlotGrant(id: id, share: ledger.share), to: socket.number)
    }
  }

  private let state: ConditionLock<State>

  /// Creates a server with that many slots, whose processes share `memory` bytes.
  init(slots: Int, memory: Int) {
    state = ConditionLock(State(ledger: SlotLedger(count: slots, memory: memory)))
  }

  /// The number of slots in use.
  var busy: Int { state.withLock { $0.ledger.busy } }

  /// Returns the time at which the job was granted its first slot, or `nil` if it has had none.
  func begin(of job: Int) -> ContinuousClock.Instant? { state.withLock { $0.begun[job] } }

  /// Returns the requests for disk space that have started to wait since the last call.
  func newlyWaiting() -> [DiskLedger.Request] {
    state.withLock { state in
      let new = state.disks.waiting.filter { !state.waiting.contains($0) }
      state.waiting = Set(state.disks.waiting)
      return new
    }
  }

  /// Creates the socket for `job` and returns the child's end. The first message on the socket is
  /// `request`.
  func connect(_ job: Int, _ request: RenderRequest) throws(SystemError) -> SharedDescriptor {
    let (own, other) = try SharedDescriptor.sockets()
    state.update { $0.sockets[job] = own }
    let thread = Thread { [self] in
      SlotLines.write(request, to: own.number)
      SlotLines.read(SlotMessage.self, from: own.number) { hear($0, of: job) }
      withExtendedLifetime(own) {}
    }
    thread.stackSize = 512 << 10
    thread.start()
    return other
  }

  /// Handles a message from `job`. A message may arrive after the job has ended and is then
  /// ignored.
  func hear(_ message: SlotMessage, of job: Int) {
    change { state in
      guard state.sockets[job] != nil else { return }
      switch message {
      case .request(let id, let memory):
        state.ledger.add(SlotLedger.Request(job: job, id: id, memory: memory))
      case .room(let id, let folder, let bytes):
        state.disks.add(
          DiskLedger.Request(
            job: job, id: id, folder: folder, disk: Disk.number(at: folder) ?? 0, bytes: bytes))
      case .release(let id): state.ledger.remove(job: job, id: id)
      }
    }
  }

  /// Releases everything that `job` holds and shuts down its socket, which ends any remaining
  /// process of it.
  func disconnect(_ job: Int) {
    let socket = state.withLock { state in
      state.begun[job] = nil
      return state.sockets.removeValue(forKey: job)
    }
    change { state in
      state.ledger.remove(job: job)
      state.disks.remove(job: job)
    }
    socket?.shutDown()
  }

  /// Changes the ledgers, then grants requests and notifies their jobs.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      for request in state.ledger.grant() {
        if state.begun[request.job] == nil { state.begun[request.job] = .now }
        state.sendGrant(request.job, request.id)
      }
      for request in state.disks.grant(free: Disk.freeBytes) {
        state.sendGrant(request.job, request.id)
      }
    }
  }
}
