import ArgumentParser
import TesseraRequest
import TesseraSystem

/// Options for further outputs of a call: `--also`, `--hls` and `--outputs`.
struct AdditionalOutputsOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Further output of the same call, with the options of the main output except those given here \
      without dashes; may be repeated. web/:hls=1080p,720p is a folder for HTTP Live Streaming, \
      thumbs/:every=10 thumbnail sheets, poster.jpg[:at=t] a picture.
      """, valueName: "file[:option=value,…]"))
  var also: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Sizes of an HTTP Live Streaming folder that is written instead of a file, by their shorter \
      sides; players start with the first.
      """, valueName: "1080p,720p,…"))
  var hls: HLSSizes?

  @Option(
    help: ArgumentHelp(
      "List of further outputs: objects with file and options.", valueName: "file.yaml|.json"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var outputs: String?

  /// The files that the options read: the list of outputs.
  var files: [String] { [outputs].compactMap { $0 } }

  /// Returns the main output at `path` and all further outputs that the options request.
  ///
  /// - Throws: ``RenderError`` if an output is wrong or the list cannot be read.
  func requested(besides path: String) throws(RenderError) -> [OutputRequest] {
    try OutputRequest.all(path, hls, also: also, list: outputs)
  }
}

extension HLSSizes: ExpressibleByArgument {
  init?(argument: String) { self.init(option: argument) }
}
