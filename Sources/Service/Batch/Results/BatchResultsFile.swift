import Foundation
import Glibc
import TesseraMessages
package import TesseraSystem

/// The results file of a batch: one line of JSON for each job, appended when the job ends.
package final class BatchResultsFile {
  private let file: AppendOnlyFile
  /// For each job (hash of its id), the hash of the digest on its last line.
  private var known: [Int: Int] = [:]
  private var pending = Data()

  /// Opens the results file at `path`, or creates it.
  ///
  /// A last line that a kill has torn is removed. Pipes and devices are only written to.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - cancellation: Ends the wait for the reader of a pipe.
  /// - Throws: ``RenderError`` if the file cannot be opened, or contains anything but results. The
  ///   file is then left unchanged.
  package init(_ path: String, _ cancellation: Cancellation) throws(RenderError) {
    do throws(SystemError) {
      file = try AppendOnlyFile(path, cancellation)
    } catch {
      guard error.number == ENXIO else { throw RenderError(error) }
      throw RenderError(
        .temporary, "cannot write \(file: path): the pipe has no reader; start the reader first.")
    }
    guard file.isRegular else { return }
    var failure: RenderError?
    try RenderError.wrapping { () throws(SystemError) in
      // Another batch may append to the file at the same time.
      try file.locked {
        do throws(RenderError) { try read() } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }

  private func read() throws(RenderError) {
    let (size, end) = (FileOperations.byteCount(of: file.path), try lastLine())
    let lines = try LineReader(file.path)
    while let line = lines.next() {
      if let outcome = CanonicalJSON.value(Data(line.text.utf8), as: BatchOutcome.self) {
        known[Self.hash(outcome.id)] = outcome.madeFrom.map(Self.hash)
        continue
      }
      let isTorn = end < size && lines.next() == nil
      guard isTorn, Self.mayBegin(line.text) else { throw Self.foreign(file.path, line) }
      try RenderError.wrapping { () throws(SystemError) in try file.cut(to: end) }
      return
    }
    // The last line is complete but lacks its newline.
    if end < size { pending = Data("\n".utf8) }
  }

  /// Returns true if a result can start with `text`: a torn line is only removed if it is the start
  /// of a result.
  private static func mayBegin(_ text: String) -> Bool {
    let start = "{\"attempts\":"
    return text.hasPrefix(start) || start.hasPrefix(text)
  }

  private static func foreign(_ path: String, _ line: LineReader.Line) -> RenderError {
    RenderError(
      .usage,
      "\(file: path), line \(line.number), is not the result of a job: results are only added to a file of "
        + "results; give it another name.")
  }

  private static func hash(_ text: String) -> Int { text.hashValue }

  /// Returns the offset after the last newline, or 0 if there is none.
  private func lastLine() throws(RenderError) -> Int {
    let size = FileOperations.byteCount(of: file.path)
    var (end, step) = (size, 1 << 16)
    while end > 0 {
      step = min(step, end)
      let bytes = try RenderError.wrapping { () throws(SystemError) in
        try RegularFile(file.path).bytes(step, from: end - step)
      }
      if let last = bytes.lastIndex(of: UInt8(ascii: "\n")) { return end - step + last + 1 }
      end -= step
    }
    return end
  }

  /// Returns true if the last line of the job `id` has this digest.
  package func holds(_ id: String, _ digest: String?) -> Bool {
    guard let digest else { return false }
    return known[Self.hash(id)] == Self.hash(digest)
  }

  /// Appends a line. The line is synced to disk before this function returns, unless `mayWait`
  /// allows it to be written with a later line.
  package func add(_ outcome: BatchOutcome, mayWait: Bool = false) throws(RenderError) {
    pending += CanonicalJSON.bytes(outcome) + Data("\n".utf8)
    if !mayWait || pending.count > 1 << 16 { try flush() }
  }

  /// Writes all pending lines and syncs them to disk.
  package func flush() throws(RenderError) {
    guard !pending.isEmpty else { return }
    defer { pending = Data() }
    try RenderError.wrapping { () throws(SystemError) in try file.add(pending) }
  }
}
