import Foundation
import Glibc
import TesseraJobs
import TesseraSystem

/// The file that gets a line at the end of each job, which is on the disk before the next one ends.
final class BatchResults {
  private let file: AppendedFile
  /// The jobs whose last line says what they are made from now, by hashes.
  private var known: [Int: Int] = [:]
  private var pending = Data()

  /// The results in the file at `path`, which is made where it is not there. A last line that a
  /// kill has torn is removed. Pipes and devices are only written to.
  init(_ path: String) throws(RenderError) {
    do throws(SystemError) {
      file = try AppendedFile(path, Interrupts.cancellation)
      guard file.isRegular else { return }
      // Another batch may write to it.
      try file.locked { () throws(SystemError) in
        try mend()
        read()
      }
    } catch {
      guard error.number == ENXIO else { throw RenderError(error) }
      throw RenderError(
        .temporary, "cannot write \(path): nobody reads from it; start its reader first.")
    }
  }

  private func read() {
    guard let lines = try? LineReader(file.path) else { return }
    while let line = lines.next() {
      guard let outcome = PlainJSON.value(Data(line.text.utf8), as: JobOutcome.self) else {
        continue
      }
      known[Self.hash(outcome.id)] = outcome.madeFrom.map(Self.hash)
    }
  }

  private static func hash(_ text: String) -> Int { text.hashValue }

  /// Removes what follows the last whole line.
  private func mend() throws(SystemError) {
    let size = FileSystem.byteCount(of: file.path)
    var (end, step) = (size, 1 << 16)
    while end > 0 {
      step = min(step, end)
      guard let bytes = try? RegularFile(file.path).bytes(step, from: end - step) else { return }
      if let last = bytes.lastIndex(of: UInt8(ascii: "\n")) {
        end = end - step + last + 1
        break
      }
      end -= step
    }
    if end < size { try file.cut(to: end) }
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
    do throws(SystemError) { try file.add(pending) } catch { throw RenderError(error) }
  }
}
