/// The exit codes of the command, which schedulers and batches decide by.
package enum ExitStatus: Int32, Error {
  case failed = 1
  case usage = 2
  case renderedWithLosses = 3
  /// Of a batch.
  case someFailed = 4
  /// EX_TEMPFAIL of sysexits.h.
  case mayPass = 75
  case interrupted = 130
}
