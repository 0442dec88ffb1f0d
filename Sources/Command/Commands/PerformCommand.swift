import ArgumentParser
import TesseraDocuments
import TesseraJobs
import TesseraMessages
import TesseraRequest
import TesseraSystem

/// `tessera perform`.
struct PerformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "perform",
    abstract: "Renders a request that a program wrote as JSON.",
    usage: "tessera perform REQUEST.json [--progress json]",
    discussion: """
      A request is an object with "version": \(RenderRequest.version), "inputs" (a list), "outputs" \
      (a list of objects with "file" and the options of that output), and any option of \
      "tessera render" by its name without dashes. YAML is read, too; - reads JSON from the standard \
      input.

      {"version": 1, "inputs": ["recording/"], "outputs": [{"file": "call.mp4"}], "layout": "speaker"}

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp("Request to render.", valueName: "request.json"),
    completion: .file(extensions: ["json", "yaml", "yml"]))
  var file: String

  @OptionGroup
  var progress: ProgressOptions

  func run() throws {
    InterruptHandler.install()
    let isInput = file == Self.input
    let request = try Self.request(file) { limit throws(SystemError) in
      isInput
        ? try StandardInput.bytes(atMost: limit) : try RegularFile.bytes(file, atMost: limit)
    }
    try request.renderAndPrint(reading: isInput ? [] : [file], progress.printer)
  }

  /// Renders a job of a batch: the request on standard input. The batch keeps its end of the pipe
  /// open, so only the first line is read.
  static func renderJob(madeFrom: String?, isListed: Bool) throws {
    InterruptHandler.install()
    try request(input, StandardInput.line(atMost:)).renderAndPrint(
      reading: [], ProgressPrinter(.json), madeFrom: madeFrom, isListed: isListed)
  }

  /// The file name that means standard input.
  private static let input = "-"

  /// Returns the request in `file`, whose content `read` returns, up to a number of bytes.
  private static func request(
    _ file: String, _ read: (_ limit: Int) throws(SystemError) -> [UInt8]
  ) throws(RenderError) -> RenderRequest {
    do {
      let syntax = DocumentValue.Syntax(fileName: file) ?? .json
      let bytes = try read(DocumentValue.maximumSize + 1)
      let request = try RenderRequest(try DocumentValue(bytes, syntax, file: file), file: file)
      if let problem = request.problem { throw RenderError(.usage, "\(file: file): \(problem)") }
      return request
    } catch let error as RenderError {
      throw error
    } catch let error as SystemError {
      throw RenderError(
        .usage, "cannot read the request \(file: file): \(error.reason); check its name.")
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }
}
