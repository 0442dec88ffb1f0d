import Foundation
import Glibc
package import TesseraSystem

/// The file that gets a line at the end of each job, which is on the disk before the next one ends.
package final class BatchResults {
  private let file: AppendedFile
  /// The jobs whose last line says what they are made from now, by hashes.
  private var known: [Int: Int] = [:]
  private var pending = Data()

  /// The results in the file at `path`, which is made where it is not there. A last line that a
  /// kill has torn is removed. Pipes and devices are only written to.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - cancellation: ends waiting for the reader of a pipe.
  /// - Throws: where it cannot be opened, or holds anything but results: then it is left as it is.
  package init(_ path: String, _ cancellation: Cancellation) throws(RenderError) {
    do throws(SystemError) {
      file = try AppendedFile(path, cancellation)
    } catch {
      guard error.number == ENXIO else { throw RenderError(error) }
      throw RenderError(
        .temporary, "cannot write \(path): nobody reads from it; start its reader first.")
    }
    guard file.isRegular else { return }
    var failure: RenderError?
    do throws(SystemError) {
      // Another batch may write to it.
      try file.locked {
        do throws(RenderError) { try read() } catch { failure = error }
      }
    } catch {
      throw RenderError(error)
    }
    if let failure { throw failure }
  }

  private func read() throws(RenderError) {
    let (size, end) = (FileSystem.byteCount(of: file.path), try lastLine())
    let lines = try LineReader(file.path)
    while let line = lines.next() {
      if let outcome = PlainJSON.value(Data(line.text.utf8), as: BatchOutcome.self) {
        known[Self.hash(outcome.id)] = outcome.madeFrom.map(Self.hash)
        continue
      }
      let isTorn = end < size && lines.next() == nil
      guard isTorn, Self.mayBegin(line.text) else { throw Self.foreign(file.path, line) }
      do throws(SystemError) { try file.cut(to: end) } catch { throw RenderError(error) }
      return
    }
    // A whole line without its end.
    if end < size { pending = Data("\n".utf8) }
  }

  /// Whether a result may begin with `text`.
  private static func mayBegin(_ text: String) -> Bool {
    let start = "{\"attempts\":"
    return text.hasPrefix(start) || start.hasPrefix(text)
  }

  private static func foreign(_ path: String, _ line: LineReader.Line) -> RenderError {
    RenderError(
      .usage,
      "\(path), line \(line.number), is not the result of a job: results are only added to a file of "
        + "results; give it another name.")
  }

  private static func hash(_ text: String) -> Int { text.hashValue }

  /// Where the last whole line ends.
  private func lastLine() throws(RenderError) -> Int {
    let size = FileSystem.byteCount(of: file.path)
    var (end, step) = (size, 1 << 16)
    while end > 0 {
      step = min(step, end)
      do throws(SystemError) {
        let bytes = try RegularFile(file.path).bytes(step, from: end - step)
        if let last = bytes.lastIndex(of: UInt8(ascii: "\n")) { return end - step + last + 1 }
      } catch {
        throw RenderError(error)
      }
      end -= step
    }
    return end
  }

  /// Whether the last line of the job `id` says that it was made from `digest`.
  package func holds(_ id: String, _ digest: String?) -> Bool {
    guard let digest else { return false }
    return known[Self.hash(id)] == Self.hash(digest)
  }

  /// Adds a line; it is on the disk when this returns, unless it `mayWait` for the next one.
  package func add(_ outcome: BatchOutcome, mayWait: Bool = false) throws(RenderError) {
    pending += PlainJSON.bytes(outcome) + Data("\n".utf8)
    if !mayWait || pending.count > 1 << 16 { try flush() }
  }

  /// Brings all lines to the disk.
  package func flush() throws(RenderError) {
    guard !pending.isEmpty else { return }
    defer { pending = Data() }
    do throws(SystemError) { try file.add(pending) } catch { throw RenderError(error) }
  }
}
