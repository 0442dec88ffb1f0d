import ArgumentParser
import TesseraDelivery
import TesseraJobs
import TesseraRequest

/// A command that reads a call and may read from and write to buckets and addresses.
///
/// A ``TransferSession`` fetches the inputs, runs the command on files, and uploads what it made.
protocol CallCommand: ParsableCommand {
  /// Returns the request with the inputs, the settings, and the outputs that a render would make.
  func request() throws -> RenderRequest
  /// The outputs of the command, the main one first.
  var places: [OutputLocation] { get }
  /// True if the command needs a store for more than its places.
  var isRemote: Bool { get throws }
  /// Shows the progress.
  var printer: ProgressPrinter { get }
  /// Runs the command on the files of `session`. The first of its places are ``places``.
  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws
}

extension CallCommand {
  var places: [OutputLocation] { [] }
  var isRemote: Bool { false }
  var printer: ProgressPrinter { ProgressPrinter(.none) }

  func run() throws {
    InterruptHandler.install()
    let printer = printer
    defer { printer.finish() }
    let session = try TransferSession(
      try request(), beside: places, isRemote: try isRemote, .command(printer))
    defer { StandardOutput.release() }
    let losses = try session.perform { session -> ExitStatus? in
      if session.isUploading { StandardOutput.hold() }
      do {
        try run(session, printer)
        return nil
      } catch let status as ExitStatus where status == .renderedWithLosses {
        return status
      }
    }
    StandardError.finishHeld()
    if let losses { throw losses }
  }
}
