import TesseraBatch
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraRendering
import TesseraRequest
import TesseraSystem

extension RequestContext {
  /// Returns the environment of a command: Ctrl-C cancels, processes of this program do the work,
  /// and messages go to standard error.
  static func command(_ printer: ProgressPrinter) -> RequestContext {
    var context = RequestContext(InterruptHandler.cancellation, program: ForkServer.program) {
      update in
      switch update {
      case .planning(let progress): printer.update(progress)
      case .rendering(let progress): printer.update(progress)
      case .note, .warning, .error:
        printer.finish()
        StandardError.print(update)
      case .created: break
      case .report, .finished: printer.finish()
      }
    }
    context.begin = { ProcessorSlotClient.current?.enter(InterruptHandler.cancellation) }
    return context
  }
}

extension RenderRequest {
  /// Runs the request with ``RequestRunner`` and prints its result.
  ///
  /// - Parameters:
  ///   - lists: files that the request was read from, which no output may replace.
  ///   - printer: shows the progress.
  ///   - madeFrom: the provenance to store in the main output; `nil` stores none.
  ///   - isListed: true if the input was found in a folder, so that it must not name files outside
  ///     of the folder.
  /// - Throws: ``RenderError`` if the request fails, and an ``ExitStatus`` for losses, deviations
  ///   and missing outputs.
  func renderAndPrint(
    reading lists: [String], _ printer: ProgressPrinter, madeFrom: String? = nil,
    isListed: Bool = false
  ) throws {
    var context = RequestContext.command(printer)
    context.mayLeaveFolder = !isListed
    if isListed, let input = inputs.first(where: SessionFileAddresses.areNamed) {
      throw RenderError(
        .failure,
        "\(file: input) names addresses, which a session file found in a folder must not; name the file "
          + "itself in a list of jobs.")
    }
    let reported = ConditionLock(RenderReport?.none)
    let forward = context.report
    context.report = { update in
      if case .report(let report) = update { reported.update { $0 = report } }
      forward(update)
    }
    defer { printer.finish() }
    let result: RequestResult
    do throws(RenderError) {
      result = try RequestRunner(self, reading: lists, context, madeFrom: madeFrom).makeOutputs()
    } catch {
      // An error of writing the report must not hide the error that it describes.
      if let report = reported.withLock(\.self), report.error != nil { try? print(report) }
      throw error
    }
    try print(result.report)
    try finish(result)
  }

  /// Prints the report if it goes to the standard output.
  private func print(_ report: RenderReport) throws {
    guard sidecars.report == "-" else { return }
    try StandardOutput.write(try report.json())
  }

  /// Prints a line for each finished file, and throws the exit status unless it is 0.
  private func finish(_ result: RequestResult) throws {
    if sidecars.report != "-" {
      for report in result.completedReports {
        StandardOutput.print(RenderSummaryFormatter.line(report))
      }
      for path in result.stills { StandardOutput.print(path) }
    }
    for failure in result.failures { StandardError.print("error: \(failure.commandLine)") }
    let status: ExitStatus? =
      !result.isComplete
      ? .failed
      : result.hasLosses || !result.deviations.isEmpty
        ? .renderedWithLosses : nil
    var words = RenderSummaryFormatter.result(result.report, status, stills: result.stills)
    words.error = words.error ?? result.failures.first?.commandLine
    words.processorSeconds = result.processorSeconds
    StandardError.finish(words)
    if let status { throw status }
  }
}
