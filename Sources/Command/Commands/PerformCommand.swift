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

  @Option(
    help: ArgumentHelp("Provenance string to store in the output.", visibility: .hidden))
  var madeFrom: String?

  @Flag(
    help: ArgumentHelp("The input names no file outside of its folder.", visibility: .hidden))
  var listed = false

  func run() throws {
    Interrupts.install()
    try request().perform(
      reading: file == Self.input ? [] : [file], progress.printer, madeFrom: madeFrom,
      isListed: listed)
  }

  /// The file name that means standard input.
  private static let input = "-"

  /// The request on standard input. A batch keeps its end of the pipe open, so only the first line
  /// is read there.
  private static let given: Result<[UInt8], SystemError> = {
    do throws(SystemError) {
      let limit = Document.maximumSize + 1
      return .success(
        ProcessorSlots.isShared
          ? try StandardInput.line(atMost: limit) : try StandardInput.bytes(atMost: limit))
    } catch {
      return .failure(error)
    }
  }()

  /// Reads the request from the file or from standard input.
  func request() throws(RenderError) -> RenderRequest {
    do {
      let bytes =
        file == Self.input
        ? try Self.given.get()
        : try RegularFile.bytes(file, atMost: Document.maximumSize + 1)
      let syntax = Document.Syntax(fileName: file) ?? .json
      let request = try RenderRequest(try Document(bytes, syntax, file: file), file: file)
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
