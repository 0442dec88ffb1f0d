/// Exit codes of the command. Schedulers and batches depend on them, so they never change.
package enum ExitStatus: Int32, Error {
  case failed = 1
  case usage = 2
  case renderedWithLosses = 3
  /// Some jobs of a batch failed.
  case someFailed = 4
  /// A temporary failure: EX_TEMPFAIL of sysexits.h.
  case temporaryFailure = 75
  case interrupted = 130
}
