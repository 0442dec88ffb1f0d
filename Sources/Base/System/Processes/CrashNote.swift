import CTesseraSystem
import Foundation
import Glibc
import Synchronization

/// What a worker was doing, kept in a small file that outlives it however it dies.
///
/// Before each call that a recording could make fail badly, the thread that makes it notes the
/// phase, the track and the time in a slot of its own; when a signal ends the process, the
/// number of the thread that caught it is noted too, and whether there was no memory left.
@safe package final class CrashNote: @unchecked Sendable {
  // Sendable because each slot has one writer at a time, and whoever reads does so after the end.

  /// What can be going on.
  package enum Phase: Int32, Sendable, Codable {
    case probing = 1
    case decoding
  }

  /// What a thread was doing when it brought the process down.
  package struct Blame: Hashable, Sendable, Codable {
    /// What was going on.
    package var phase: Phase
    /// The number of the track, as the worker counts them.
    package var track: Int
    /// Where on the timeline it was, in nanoseconds.
    package var time: Int64
    /// The signal that ended the process.
    package var signal: Int

    /// The blame of a track.
    package init(phase: Phase, track: Int, time: Int64, signal: Int) {
      (self.phase, self.track, self.time, self.signal) = (phase, track, time, signal)
    }
  }

  private struct Slot {
    var thread: Int32 = 0
    var phase: Int32 = 0
    var time: Int64 = 0
  }

  private struct Head {
    var magic: UInt64 = CrashNote.magic
    var thread: Int32 = 0
    var signal: Int32 = 0
    var isMemory: Int64 = 0
  }

  private static let magic: UInt64 = 0x5445_5353_4e4f_5432
  private static let headSize = MemoryLayout<Head>.stride
  private static let slotSize = MemoryLayout<Slot>.stride

  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let slotCount: Int

  /// Makes the note at `path` with `slots` slots, one for each track; an earlier one is
  /// overwritten.
  package static func make(_ path: String, slots: Int) throws(SystemError) -> CrashNote {
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW
    let file = try OwnedDescriptor(opening: path, flags, "make")
    let size = headSize + max(1, slots) * slotSize
    // Writing to a page for which the disk has no room would end the process.
    let failure = posix_fallocate(file.number, 0, size)
    guard failure == 0 else { throw SystemError("make", path, number: failure) }
    let base = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw SystemError("map", path)
    }
    return unsafe CrashNote(base, size: size, slotCount: max(1, slots))
  }

  private init(_ base: UnsafeMutableRawPointer, size: Int, slotCount: Int) {
    unsafe self.base = unsafe base
    (self.size, self.slotCount) = (size, slotCount)
    unsafe base.storeBytes(of: Head(), as: Head.self)
  }

  deinit {
    if unsafe Self.current == base { unsafe Self.current = nil }
    unsafe _ = munmap(base, size)
  }

  /// Notes that this thread begins something with `track`.
  package func enter(_ phase: Phase, track: Int, time: Int64) {
    guard (0..<slotCount).contains(track) else { return }
    let slot = Slot(thread: csys_thread_id(), phase: phase.rawValue, time: time)
    unsafe base.storeBytes(
      of: slot, toByteOffset: Self.headSize + track * Self.slotSize, as: Slot.self)
  }

  /// Notes that it is done.
  package func leave(track: Int) {
    guard (0..<slotCount).contains(track) else { return }
    unsafe base.storeBytes(
      of: Slot(), toByteOffset: Self.headSize + track * Self.slotSize, as: Slot.self)
  }

  /// Notes what `body` does.
  package func during<R, E: Error>(
    _ phase: Phase, track: Int, time: Int64, _ body: () throws(E) -> R
  ) throws(E) -> R {
    enter(phase, track: track, time: time)
    defer { leave(track: track) }
    return try body()
  }

  /// Whom the note at `path` blames for the end of its process; nil where it was none of the
  /// threads that noted something, and where no signal was caught, as when memory ran out.
  package static func blame(at path: String) -> Blame? {
    guard let (data, head) = note(at: path), head.thread != 0 else { return nil }
    return unsafe data.withUnsafeBytes { bytes in
      for index in 0..<((bytes.count - headSize) / slotSize) {
        let slot = unsafe bytes.loadUnaligned(
          fromByteOffset: headSize + index * slotSize, as: Slot.self)
        guard slot.thread == head.thread, let phase = Phase(rawValue: slot.phase) else { continue }
        return Blame(phase: phase, track: index, time: slot.time, signal: Int(head.signal))
      }
      return nil
    }
  }

  /// Whether the process whose note is at `path` had no memory left when a signal ended it.
  package static func memoryRanOut(at path: String) -> Bool { note(at: path)?.head.isMemory == 1 }

  private static func note(at path: String) -> (data: Data, head: Head)? {
    guard let data = FileManager.default.contents(atPath: path), data.count >= headSize else {
      return nil
    }
    let head = unsafe data.withUnsafeBytes { unsafe $0.loadUnaligned(as: Head.self) }
    return head.magic == magic ? (data, head) : nil
  }

  /// Where the handler of signals writes; one note a process is enough.
  nonisolated(unsafe) private static var current: UnsafeMutableRawPointer?

  /// The thread whose crash is noted; others that crash meanwhile wait for the end, as each signal
  /// ends the process that nobody catches.
  private static let culprit = Atomic<Int32>(0)

  /// From now on, the signals of a crash are noted here before they end the process.
  package func catchCrashes() {
    unsafe Self.current = base
    // It is made before a signal needs it.
    Self.culprit.store(0, ordering: .relaxed)
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        CrashNote.noteSignal(number)
        signal(number, SIG_DFL)
        raise(number)
      }
      action.sa_flags = SA_NODEFER
      unsafe sigaction(number, &action, nil)
    }
  }

  /// Ends a worker that has no memory left as a crash does, when a library says that it lacks some:
  /// what fails then is not the recording's fault, and nothing that was made meanwhile can be
  /// trusted. A size that no machine has, as damaged files ask for, ends nothing.
  package static func endWhereMemoryRanOut() {
    guard unsafe current != nil, ProcessMemory.isExhausted else { return }
    abort()
  }

  /// Notes that the calling thread has caught that signal, if it is the first one; does not return
  /// for another thread.
  static func noteSignal(_ number: CInt) {
    guard let base = unsafe current else { return }
    let thread = csys_thread_id()
    let (isFirst, first) = culprit.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing)
    guard isFirst else {
      while first != thread { usleep(10_000) }
      return
    }
    var head = Head(thread: thread, signal: number)
    unsafe base.storeBytes(of: head, as: Head.self)
    head.isMemory = ProcessMemory.isExhausted ? 1 : 0
    unsafe base.storeBytes(of: head, as: Head.self)
  }
}
