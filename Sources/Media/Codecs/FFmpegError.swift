import CTesseraFFmpeg
import Glibc
package import TesseraMessages
import TesseraSystem

/// A failed call into libav*, with the operation and the file that it concerned.
package struct FFmpegError: Error, Hashable, Sendable {
  /// The negative return value of libav*.
  package let code: CInt
  /// The attempted operation as an infinitive: `decode a picture`.
  package let operation: String
  /// The path of the file, or `no file`.
  package let path: String
  /// The last line that libav* logged on this thread during the operation; `nil` if there was none.
  package let logLine: String?
  /// The number of the packet that was being decoded; `nil` for other operations.
  private(set) var packet: Int?
  /// True if an encoder does not exist or does not support a requested setting; nothing is broken.
  package private(set) var isRefusal = false

  init(code: CInt, operation: String, path: String, packet: Int? = nil) {
    if code == cff_averror(ENOMEM) { CrashNote.exitOnMemoryExhaustion() }
    self.code = code
    self.operation = operation
    self.path = path
    self.packet = packet
    self.logLine = FFmpegLog.takeLastLine()
  }

  /// libav*'s description of ``code``.
  package var reason: String {
    unsafe withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)
    ) { text in
      guard let base = text.baseAddress else { return "error \(code)" }
      unsafe av_strerror(code, base, text.count)
      return unsafe String(cString: base)
    }
  }

  /// The logged line, or ``reason`` if nothing was logged.
  var words: String { logLine ?? reason }

  /// A copy of the error with ``isRefusal`` set.
  var asRefusal: FFmpegError {
    var refusal = self
    refusal.isRefusal = true
    return refusal
  }

  /// True if the disk is full or the file reached the maximum size.
  package var isOutOfSpace: Bool { code == cff_averror(ENOSPC) || code == cff_averror(EFBIG) }

  /// True if a ``Cancellation`` interrupted the call.
  package var isCancellation: Bool { code == CFF_ERROR_EXIT }
}

extension FFmpegError: MessageConvertible, CustomStringConvertible {
  package var sentence: UserMessage {
    "cannot \(operation) (\(file: path)): \(reason)\(logLine.map { "; \($0)" } ?? "")"
  }
}

/// Converts a negative result of libav* to a thrown ``FFmpegError``. No other function does that.
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
