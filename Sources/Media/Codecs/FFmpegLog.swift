import CTesseraFFmpeg
import Glibc
import Synchronization

/// Captures libav*'s log instead of printing it: keeps the last line of each thread. That line is
/// often the best explanation of an error, and errors of a decoder or demuxer are also passed to
/// its ``DecoderDiagnostics``.
enum FFmpegLog {
  private static let lastLines = Mutex<[UInt: String]>([:])

  /// Installs the log callback and limits libav*'s allocations. Runs once, at first access.
  static let installed: Void = {
    av_log_set_level(AV_LOG_ERROR)
    unsafe av_log_set_callback { context, level, format, arguments in
      guard level <= AV_LOG_WARNING, let format = unsafe format, let arguments = unsafe arguments,
        unsafe level <= AV_LOG_ERROR || FFmpegLog.isRefusal(format)
      else { return }
      let line = unsafe FFmpegLog.line(context, level, format, arguments)
      FFmpegLog.keep(line)
      guard level <= AV_LOG_ERROR, DamageDetection.isMeant(by: line),
        let notes = unsafe cff_notes_of(context)
      else { return }
      unsafe cff_note(notes, line)
    }
    av_max_alloc(largestAllocation)
  }()

  /// The largest single allocation of libav*, in bytes: the largest accepted picture (64
  /// megapixels) in 16-bit 4:4:4, with padding.
  private static let largestAllocation = 448 << 20

  /// Returns the last line logged on this thread and removes it; `nil` if there was none since the
  /// last call.
  static func takeLastLine() -> String? {
    lastLines.withLock { $0.removeValue(forKey: currentThread) }
  }

  /// True if `format` is the format string of a refused encoder option, the only kind of warning
  /// that is kept. Damaged files produce too many warnings to format them all.
  private static func isRefusal(_ format: UnsafePointer<CChar>) -> Bool {
    refusals.contains { unsafe strncmp(format, $0, $0.utf8.count) == 0 }
  }

  private static var currentThread: UInt { UInt(pthread_self()) }

  private static func keep(_ line: String) {
    guard !line.isEmpty else { return }
    lastLines.withLock { $0[currentThread] = line }
  }

  private static func line(
    _ context: UnsafeMutableRawPointer?, _ level: CInt, _ format: UnsafePointer<CChar>,
    _ arguments: CVaListPointer
  ) -> String {
    var prefix: CInt = 0
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
      guard let base = text.baseAddress else { return "" }
      let length = unsafe av_log_format_line2(
        context, level, format, arguments, base, CInt(text.count), &prefix)
      guard length > 0 else { return "" }
      let words = unsafe String(cString: base).split(whereSeparator: \.isWhitespace)
      let text = words.joined(separator: " ")
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
  }
}
