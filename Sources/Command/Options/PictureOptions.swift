import ArgumentParser

/// The command's inputs.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      Folder, archive, manifest or session file of a call, or media files; s3:// and https:// work, too.
      """,
      valueName: "input"),
    completion: .file())
  var inputs: [String]
}

/// Options for the canvas: size, frame rate, layout, scaling filter and transitions.
struct CanvasLayoutOptions: ParsableArguments {
  @Option("layout") var layout: String?
  @Option("size") var size: String?
  @Option("fps") var fps: String?
  @Option("filter") var filter: String?
  @Option("fit") var fit: String?
  @Option("gap") var gap: String?
  @Option("transition") var transition: String?
  @Option("max-tiles") var maxTiles: String?
  @Option("local") var local: String?
  @Option("focus") var focus: String?
  @Option("keep-visible") var keepVisible: String?
}

/// The option `--cpu`: the instruction set of the pixel kernels.
struct InstructionSetOption: ParsableArguments {
  @Option("cpu") var cpu: String?
}

/// Options for the picture of a call, shared by all commands that draw one.
struct PictureOptions: ParsableArguments {
  @OptionGroup(title: "Picture")
  var canvas: CanvasLayoutOptions

  @OptionGroup(title: "Call")
  var call: ParticipantOptions

  @OptionGroup(title: "Look")
  var look: AppearanceOptions

  @OptionGroup(title: "Speakers")
  var speakers: SpeakerOptions

  @OptionGroup(title: "Machine")
  var cache: CacheOptions

  @OptionGroup(title: "Machine")
  var kernels: InstructionSetOption
}
