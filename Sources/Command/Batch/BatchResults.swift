import Foundation
import Glibc
import SystemPackage
import TesseraJobs
import TesseraSystem

/// The file that gets a line at the end of each job, which is on the disk before the next one ends.
final class BatchResults {
  private let path: String
  private let descriptor: CInt
  /// The jobs whose last line says what they are made from now, by hashes.
  private var known: [Int: Int] = [:]
  private var pending = Data()

  /// The results in the file at `path`, which is made where it is not there. A last line that a
  /// kill has torn is removed.
  init(_ path: String) throws(RenderError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw RenderError(SystemError("open", path)) }
    // Another batch may write to it.
    flock(descriptor, LOCK_EX)
    defer { flock(descriptor, LOCK_UN) }
    try mend()
    guard var lines = try? LineReader(path) else { return }
    while let line = lines.next() {
      guard let outcome = PlainJSON.value(Data(line.text.utf8), as: JobOutcome.self) else {
        continue
      }
      known[Self.hash(outcome.id)] = outcome.madeFrom.map(Self.hash)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func hash(_ text: String) -> Int { text.hashValue }

  /// Removes what follows the last whole line.
  private func mend() throws(RenderError) {
    let size = FileSystem.byteCount(of: path)
    var (end, step) = (size, 1 << 16)
    while end > 0 {
      step = min(step, end)
      guard let bytes = try? RegularFile(path).bytes(step, from: end - step) else { return }
      if let last = bytes.lastIndex(of: UInt8(ascii: "\n")) {
        end = end - step + last + 1
        break
      }
      end -= step
    }
    guard end < size else { return }
    guard ftruncate(descriptor, off_t(end)) == 0 else {
      throw RenderError(SystemError("mend", path))
    }
  }

  /// Whether the last line of the job `id` says that it was made from `digest`.
  func holds(_ id: String, _ digest: String?) -> Bool {
    guard let digest else { return false }
    return known[Self.hash(id)] == Self.hash(digest)
  }

  /// Adds a line; it is on the disk when this returns, unless it `mayWait` for the next one.
  func add(_ outcome: JobOutcome, mayWait: Bool = false) throws(RenderError) {
    pending += PlainJSON.bytes(outcome) + Data("\n".utf8)
    if !mayWait || pending.count > 1 << 16 { try flush() }
  }

  /// Brings all lines to the disk.
  func flush() throws(RenderError) {
    guard !pending.isEmpty else { return }
    defer { pending = Data() }
    if let number = FileDescriptor.write(pending, to: descriptor) {
      throw RenderError(SystemError("write", path, number: number))
    }
    guard fdatasync(descriptor) == 0 || errno == EINVAL else {
      throw RenderError(SystemError("write", path))
    }
  }
}
