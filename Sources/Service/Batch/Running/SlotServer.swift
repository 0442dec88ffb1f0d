import Foundation
import TesseraJobs
import TesseraRequest
import TesseraSystem

/// Shares out the machine among the processes of a batch, each of which has a socket to it.
final class SlotServer: Sendable {
  private struct State {
    var ledger: SlotLedger
    var disks = DiskLedger()
    /// Those that are known to wait for room on a disk.
    var waiting: Set<DiskLedger.Request> = []
    var sockets: [Int: SharedDescriptor] = [:]
    var begun: [Int: ContinuousClock.Instant] = [:]

    /// Informs `job` that its request `id` is granted.
    func tell(_ job: Int, _ id: Int) {
      guard let socket = sockets[job] else { return }
      SlotLines.write(SlotGrant(id: id, share: ledger.share), to: socket.number)
    }
  }

  private let state: Monitor<State>

  /// One of that many slots, whose processes take `memory` bytes together.
  init(slots: Int, memory: Int) {
    state = Monitor(State(ledger: SlotLedger(count: slots, memory: memory)))
  }

  /// How many slots are taken.
  var busy: Int { state.withLock { $0.ledger.busy } }

  /// When the job was granted its first slot.
  func begin(of job: Int) -> ContinuousClock.Instant? { state.withLock { $0.begun[job] } }

  /// The requests for room on a disk that have to wait, each once.
  func newlyWaiting() -> [DiskLedger.Request] {
    state.withLock { state in
      let new = state.disks.waiting.filter { !state.waiting.contains($0) }
      state.waiting = Set(state.disks.waiting)
      return new
    }
  }

  /// Makes a socket for `job`; returns the end that its process gets, which reads `request` from it
  /// first.
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

  /// Notes what `job` says; what it said before its end may be heard after it.
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

  /// Takes back what `job` has; a process of it that is still there ends.
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

  /// Changes the ledgers, and notifies the jobs whose requests are granted by that.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      for request in state.ledger.grant() {
        if state.begun[request.job] == nil { state.begun[request.job] = .now }
        state.tell(request.job, request.id)
      }
      for request in state.disks.grant(free: Disk.freeBytes) {
        state.tell(request.job, request.id)
      }
    }
  }
}
