import ArgumentParser
import TesseraJobs
import TesseraMessages
import TesseraRequest
import TesseraSystem

/// `tessera render`.
///
/// `RowOptions.swift` collects the options in a ``RenderRequest``. `RenderRequest+Printing.swift`
/// runs the request, which opens its own session; most other commands are ``CallCommand``s instead.
struct RenderCommand: ParsableCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Renders recordings into one video or audio file.",
    usage: "tessera render INPUT... -o OUT.mp4 [options]",
    discussion: """
      Examples:
        tessera render ada.webm ben.webm -o call.mp4          files, one participant each
        tessera render recording/ -o call.mp4                 a recorder's folder, or its .zip
        tessera render recording/ -o call.mp4 --layout speaker --size 1280x720
        tessera render recording/ -o call.m4a --loudness speech
        tessera render recording/ -o call.mp4 --also mail.mp4:size=640x360,fps=15 --also call.m4a
        tessera render recording/ -o call.mp4 --from 1:00 --to 1:30 --progress json

      Most used options:
        --layout, --size, --fps         the places of participants, the canvas
        --theme, --captions             look and captions
        --loudness speech               all voices equally loud
        --from, --to                    a part of the call
        --also, --page                  further outputs (files, HLS, pictures); a page to share
        --report                        contributions and losses of each input

      Progress and messages go to standard error, the line about the finished file to standard output.

      \(ExitStatus.help)

      To complete options in a shell: \
      "tessera --generate-completion-script bash > \
      ~/.local/share/bash-completion/completions/tessera" (or zsh, fish).
      """)

  @OptionGroup
  var input: InputOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("File to write.", valueName: "out.mp4"),
    completion: .file())
  var output: String

  @OptionGroup
  var options: RenderOptions

  @OptionGroup(title: "Machine")
  var machine: ResourceOptions

  @OptionGroup(title: "Machine")
  var executor: ExecutorOption

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  /// Parses the options into ``parsed``, and checks them and the name of the main output.
  mutating func validate() throws {
    try parse()
    if let problem = parsed?.incompleteOption { throw ValidationError("--\(problem)") }
    let main = options.others.hls.map { OutputRequest.stream(output, $0.sides) } ?? .file(output)
    if let problem = main.placeProblem { throw ValidationError(problem.commandLine) }
  }

  func run() throws {
    InterruptHandler.install()
    try request().renderAndPrint(reading: options.others.files, progress.printer)
  }

  /// Returns the request that the options describe.
  func request() throws -> RenderRequest {
    request(of: input.inputs, to: try options.others.requested(besides: output))
  }
}
