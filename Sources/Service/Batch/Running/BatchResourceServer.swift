import Foundation
import TesseraJobs
import TesseraRequest
import TesseraSystem

/// Grants slots, memory and disk space to the processes of a batch. Each process is connected by a
/// socket.
final class BatchResourceServer: Sendable {
  private struct State {
    var scheduler: ProcessorSlotScheduler
    var disks = DiskSpaceScheduler()
    /// The requests for disk space that were already reported as waiting.
    var waiting: Set<DiskSpaceScheduler.Request> = []
    var sockets: [Int: SharedFileDescriptor] = [:]
    var begun: [Int: ContinuousClock.Instant] = [:]

    /// Notifies `job` that its request `id` is granted.
    func sendGrant(_ job: Int, _ id: Int) {
      guard let socket = sockets[job] else { return }
      JSONLineChannel.write(ResourceGrant(id: id, share: scheduler.share), to: socket.number)
    }
  }

  private let state: ConditionLock<State>

  /// Creates a server with that many slots, whose processes share `memory` bytes.
  init(slots: Int, memory: Int) {
    state = ConditionLock(State(scheduler: ProcessorSlotScheduler(count: slots, memory: memory)))
  }

  /// The number of slots in use.
  var busy: Int { state.withLock { $0.scheduler.busy } }

  /// Returns the time at which the job was granted its first slot, or `nil` if it has had none.
  func begin(of job: Int) -> ContinuousClock.Instant? { state.withLock { $0.begun[job] } }

  /// Returns the requests for disk space that have started to wait since the last call.
  func newlyWaiting() -> [DiskSpaceScheduler.Request] {
    state.withLock { state in
      let new = state.disks.waiting.filter { !state.waiting.contains($0) }
      state.waiting = Set(state.disks.waiting)
      return new
    }
  }

  /// Creates the socket for `job` and returns the child's end. The first message on the socket is
  /// `request`.
  func connect(_ job: Int, _ request: RenderRequest) throws(SystemError) -> SharedFileDescriptor {
    let (own, other) = try SharedFileDescriptor.sockets()
    state.update { $0.sockets[job] = own }
    _ = ThreadGroup(count: 1, name: "resources") { [self] in
      JSONLineChannel.write(request, to: own.number)
      JSONLineChannel.read(ResourceClientMessage.self, from: own.number) { hear($0, of: job) }
      withExtendedLifetime(own) {}
    }
    return other
  }

  /// Handles a message from `job`. A message may arrive after the job has ended and is then
  /// ignored.
  func hear(_ message: ResourceClientMessage, of job: Int) {
    change { state in
      guard state.sockets[job] != nil else { return }
      switch message {
      case .request(let id, let memory):
        state.scheduler.add(ProcessorSlotScheduler.Request(job: job, id: id, memory: memory))
      case .room(let id, let folder, let bytes):
        state.disks.add(
          DiskSpaceScheduler.Request(
            job: job, id: id, folder: folder, disk: FileSystemInfo.number(at: folder) ?? 0,
            bytes: bytes))
      case .release(let id): state.scheduler.remove(job: job, id: id)
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
      state.scheduler.remove(job: job)
      state.disks.remove(job: job)
    }
    socket?.shutDown()
  }

  /// Changes the ledgers, then grants requests and notifies their jobs.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      for request in state.scheduler.grant() {
        if state.begun[request.job] == nil { state.begun[request.job] = .now }
        state.sendGrant(request.job, request.id)
      }
      for request in state.disks.grant(free: FileSystemInfo.freeBytes) {
        state.sendGrant(request.job, request.id)
      }
    }
  }
}
