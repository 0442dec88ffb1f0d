import CTesseraSystem
import Foundation
import Glibc
import Synchronization

/// A record of a worker's activity in a small memory-mapped file, which survives the worker's
/// death.
///
/// Before each call that a damaged recording might crash, the calling thread records the phase and
/// the time in the slot of the track. If a signal ends the process, the handler records the thread
/// that caught it and whether memory was exhausted.
@safe package final class CrashNote: @unchecked Sendable {
  // Sendable because each slot has one writer at a time, and readers read only after the process
  // has ended.

  /// The kind of work in progress.
  package enum Phase: Int32, Sendable, Codable {
    case probing = 1
    case decoding
  }

  /// The work of the thread that crashed the process.
  package struct CrashSite: Hashable, Sendable, Codable {
    /// The kind of work.
    package var phase: Phase
    /// The number of the track, as the worker counts tracks.
    package var track: Int
    /// The time on the timeline, in nanoseconds.
    package var time: Int64
    /// The signal that ended the process.
    package var signal: Int

    package init(phase: Phase, track: Int, time: Int64, signal: Int) {
      (self.phase, self.track, self.time, self.signal) = (phase, track, time, signal)
    }
  }

  /// The layout of a track's slot in the file. Thread 0 marks a free slot.
  private struct TrackSlot {
    var thread: Int32 = 0
    var phase: Int32 = 0
    var time: Int64 = 0
  }

  /// The layout of the file's beginning. Thread 0 means that no signal was caught.
  private struct Header {
    var magic: UInt64 = CrashNote.magic
    var thread: Int32 = 0
    var signal: Int32 = 0
    /// 1 if memory was exhausted, otherwise 0.
    var isMemory: Int64 = 0
  }

  private static let magic: UInt64 = 0x5445_5353_4e4f_5432
  private static let headSize = MemoryLayout<Header>.stride
  private static let slotSize = MemoryLayout<TrackSlot>.stride

  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let slotCount: Int

  /// Creates the note at `path` with `slots` slots, one for each track. An existing file is
  /// overwritten.
  package static func make(_ path: String, slots: Int) throws(SystemError) -> CrashNote {
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW
    let file = try OwnedFileDescriptor(opening: path, flags, "make")
    let size = headSize + max(1, slots) * slotSize
    // A write to a mapped page without space on the disk would end the process.
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
    unsafe base.storeBytes(of: Header(), as: Header.self)
  }

  deinit {
    if unsafe Self.current == base { unsafe Self.current = nil }
    unsafe _ = munmap(base, size)
  }

  /// Records that this thread starts work on `track`.
  package func enter(_ phase: Phase, track: Int, time: Int64) {
    guard (0..<slotCount).contains(track) else { return }
    let slot = TrackSlot(thread: csys_thread_id(), phase: phase.rawValue, time: time)
    unsafe base.storeBytes(
      of: slot, toByteOffset: Self.headSize + track * Self.slotSize, as: TrackSlot.self)
  }

  /// Records that the work on `track` has ended.
  package func leave(track: Int) {
    guard (0..<slotCount).contains(track) else { return }
    unsafe base.storeBytes(
      of: TrackSlot(), toByteOffset: Self.headSize + track * Self.slotSize, as: TrackSlot.self)
  }

  /// Reads the note at `path` and returns the work that crashed its process.
  ///
  /// Returns `nil` if the crashed thread had recorded nothing, or if no signal was caught, as after
  /// the kernel's out-of-memory kill.
  package static func blame(at path: String) -> CrashSite? {
    guard let (data, head) = note(at: path), head.thread != 0 else { return nil }
    return unsafe data.withUnsafeBytes { bytes in
      for index in 0..<((bytes.count - headSize) / slotSize) {
        let slot = unsafe bytes.loadUnaligned(
          fromByteOffset: headSize + index * slotSize, as: TrackSlot.self)
        guard slot.thread == head.thread, let phase = Phase(rawValue: slot.phase) else { continue }
        return CrashSite(phase: phase, track: index, time: slot.time, signal: Int(head.signal))
      }
      return nil
    }
  }

  /// Returns true if the process with the note at `path` had exhausted its memory when a signal
  /// ended it.
  package static func memoryRanOut(at path: String) -> Bool { note(at: path)?.head.isMemory == 1 }

  private static func note(at path: String) -> (data: Data, head: Header)? {
    guard let data = FileManager.default.contents(atPath: path), data.count >= headSize else {
      return nil
    }
    let head = unsafe data.withUnsafeBytes { unsafe $0.loadUnaligned(as: Header.self) }
    return head.magic == magic ? (data, head) : nil
  }

  /// The mapped note for the signal handler. One note per process is enough.
  nonisolated(unsafe) private static var current: UnsafeMutableRawPointer?

  /// The thread whose crash is recorded, or 0. Other threads that crash meanwhile wait for the end
  /// of the process.
  private static let culprit = Atomic<Int32>(0)

  /// Installs signal handlers that record a crash in this note before it ends the process. Call it
  /// before other threads start.
  package func catchCrashes() {
    unsafe Self.current = base
    // The atomic is initialized before a signal handler needs it.
    Self.culprit.store(0, ordering: .relaxed)
    var caught = sigset_t()
    unsafe sigemptyset(&caught)
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
      unsafe sigaddset(&caught, number)
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        CrashNote.noteSignal(number)
        signal(number, SIG_DFL)
        raise(number)
      }
      action.sa_flags = SA_NODEFER
      unsafe sigaction(number, &action, nil)
    }
    // A process inherits the mask of the thread that started it. From glibc 2.41 on, abort() calls
    // no handler while SIGABRT is blocked.
    unsafe pthread_sigmask(SIG_UNBLOCK, &caught, nil)
  }

  /// Aborts a worker whose memory is exhausted, to be called if a library reports a failed
  /// allocation.
  ///
  /// Failures are then not the recording's fault, and results are not trustworthy. A size that no
  /// machine has, which damaged files request, does not count.
  package static func exitOnMemoryExhaustion() {
    guard unsafe current != nil, ProcessMemorySettings.isExhausted else { return }
    abort()
  }

  /// Records that the calling thread caught the signal, if it is the first one. For any other
  /// thread, it does not return.
  static func noteSignal(_ number: CInt) {
    guard let base = unsafe current else { return }
    let thread = csys_thread_id()
    let (isFirst, first) = culprit.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing)
    guard isFirst else {
      while first != thread { usleep(10_000) }
      return
    }
    var head = Header(thread: thread, signal: number)
    unsafe base.storeBytes(of: head, as: Header.self)
    head.isMemory = ProcessMemorySettings.isExhausted ? 1 : 0
    unsafe base.storeBytes(of: head, as: Header.self)
  }
}
