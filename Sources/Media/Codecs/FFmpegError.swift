import CTesseraFFmpeg
import Glibc
import TesseraSystem

/// A call into libav* that failed, with what it was doing to which file.
package struct FFmpegError: Error, Hashable, Sendable {
  /// The negative number that libav* returned.
  package let code: CInt
  /// What was tried, as an infinitive: `decode a picture`.
  package let operation: String
  /// The file that it was tried on.
  package let path: String
  /// The last line that libav* logged on this thread while trying, or nil.
  package let logLine: String?
  /// The number of the packet that was decoded, or nil.
  private(set) var packet: Int?
  /// Whether nothing failed but what was asked for cannot be done: another choice would do.
  package private(set) var isRefusal = false

  init(code: CInt, operation: String, path: String, packet: Int? = nil) {
    if code == cff_averror(ENOMEM) { CrashNote.endWhereMemoryRanOut() }
    self.code = code
    self.operation = operation
    self.path = path
    self.packet = packet
    self.logLine = FFmpegLog.takeLastLine()
  }

  /// libav*'s own words for ``code``.
  package var reason: String {
    unsafe withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)
    ) { text in
      guard let base = text.baseAddress else { return "error \(code)" }
      unsafe av_strerror(code, base, text.count)
      return unsafe String(cString: base)
    }
  }

  /// The log's words, or else those for ``code``.
  var words: String { logLine ?? reason }

  /// The same error of a choice that cannot be met.
  var asRefusal: FFmpegError {
    var refusal = self
    refusal.isRefusal = true
    return refusal
  }

  /// Whether the operating system had no room left to write.
  package var isOutOfSpace: Bool { code == cff_averror(ENOSPC) || code == cff_averror(EFBIG) }

  /// Whether a cancellation interrupted the call.
  package var isCancellation: Bool { code == CFF_ERROR_EXIT }
}

extension FFmpegError: CustomStringConvertible {
  package var description: String {
    "cannot \(operation) (\(path)): \(reason)" + (logLine.map { "; \($0)" } ?? "")
  }
}

/// Turns a negative result of libav* into an error; the only place that does.
@discardableResult
func check(
  _ result: CInt, _ operation: @autoclosure () -> String, _ path: @autoclosure () -> String,
  packet: @autoclosure () -> Int? = nil
) throws(FFmpegError) -> CInt {
  guard result < 0 else { return result }
  throw FFmpegError(code: result, operation: operation(), path: path(), packet: packet())
}

extension FFmpegError {
  static func outOfMemory(_ operation: String, _ path: String) -> FFmpegError {
    FFmpegError(code: cff_averror(ENOMEM), operation: operation, path: path)
  }
}
