import ArgumentParser
import TesseraJobs
import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraTimeline

/// How the call looks: shared by all commands that draw it.
struct PictureOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      A folder, archive, manifest or session file of a call, or media files; s3:// and https:// too.
      """,
      valueName: "input"),
    completion: .file())
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      """
      Who goes where, all along: \(LayoutCatalog.names.joined(separator: ", ")), or a layout file \
      (as the recording says, else auto).
      """, valueName: "name[:k=v,…]"),
    completion: .list(LayoutCatalog.names))
  var layout: String?

  @Option(
    help: ArgumentHelp(
      """
      The canvas in pixels, like 1280x720, both sides even; one may be auto and is then the \
      layout's own (1920x1080, or what a layout file asks for).
      """, valueName: "wxh"))
  var size: ProposedSize?

  @Option(
    parsing: .unconditional,
    help: "Frames a second, to 240: 30, 29.97 or 30000/1001 (as the recording says, else 30).")
  var fps: FrameRate?

  @Option(help: "How pictures are scaled.")
  var filter = ResampleFilter.bicubic

  @Option(help: "How a picture fills its tile; auto crops at most a third of it.")
  var fit = Fit.auto

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The distance between tiles in pixels (0.6 % of the short side).", valueName: "px"))
  var gap: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long tiles move when somebody comes or leaves; 0 cuts.", valueName: "seconds"))
  var transition = Transition.standard.duration

  @Option(
    parsing: .unconditional,
    help: "The most tiles that are shown; the last one stands for everyone else (25).")
  var maxTiles: Int?

  @Option(
    help: ArgumentHelp(
      "Who is the local participant: a file's name, its path or its number (1).",
      valueName: "person"))
  var local: String?

  @Option(
    help: ArgumentHelp("Who is large, where the layout has a large place.", valueName: "person"))
  var focus: String?

  @OptionGroup(title: "Call")
  var call: CallOptions

  @OptionGroup(title: "Look")
  var look: LookOptions

  @OptionGroup(title: "Speakers")
  var speakers: SpeakerOptions

  @OptionGroup
  var cache: CacheOptions

  @Option(
    help:
      "The processor's instructions to use, avx512 for its best AVX-512; the result is the same.")
  var cpu = KernelChoice.auto

  /// The files that are read: no output may be one of them.
  var files: [String] {
    inputs + (layout.map(LayoutSource.files) ?? []) + look.files + speakers.files
      + [call.source.people].compactMap { $0 }
  }

  func validate() throws {
    if let problem = size?.videoProblem { throw ValidationError(problem) }
    if let gap, !(0...512).contains(gap) {
      throw ValidationError("--gap takes 0 to 512 pixels.")
    }
    guard transition <= MediaTime(seconds: 60) else {
      throw ValidationError("--transition takes 0 to 60 seconds.")
    }
    try LayoutSource.validate(maxTiles: maxTiles)
  }

  /// What these options say of the call, which is read for it; recordings may be missing where it
  /// `allowsMissing`. `printer` shows how far reading and planning are.
  func callRequest(
    allowsMissing: Bool = false, readers: WorkerProgram? = EngineOptions.readers(),
    printer: ProgressPrinter
  ) throws(RenderError) -> CallRequest {
    var request = CallRequest(
      try call.source.open(inputs, allowsMissing: allowsMissing, printer: printer))
    request.local = local
    call.apply(to: &request)
    try speakers.apply(to: &request)
    (request.cache, request.readers, request.progress) = (cache.scans, readers, printer.planning)
    request.allowsMissing = allowsMissing
    return request
  }

  /// What these options ask to be made of the call `input`, encoded with the defaults unless
  /// `encoding` says otherwise. `output` is the kind of file that is made, nil where it is not known
  /// yet.
  func rendition(
    of input: CallInput, _ encoding: EncodingOptions? = nil, output: OutputKind? = nil
  ) throws(RenderError) -> Rendition {
    let policy = try layout.map(LayoutSource.policy)
    let wish = input.recording.canvas
    let size = try canvas(of: policy, input)
    let pixels = size.widescreenPixels
    let rate = fps ?? wish.frameRate ?? .thirty
    let defaults = VideoEncoderSettings(size: pixels, frameRate: rate)
    var format = OutputFormat(
      video: encoding?.settings(size: pixels, frameRate: rate, output: output)
        ?? defaults,
      style: try look.style(), filter: filter, fit: fit, title: encoding?.title)
    let asked = look.backgroundColor ?? wish.background.flatMap { Color($0) }
    if let color = asked ?? policy?.background.map(Color.init(rgb:)) { format.background = color }
    var rendition = Rendition(output: format, layout: policy)
    rendition.size = size
    rendition.gap = gap.map(Double.init)
    rendition.transition.duration = transition
    rendition.maximumTiles = LayoutSource.maximumTiles(maxTiles, of: policy)
    rendition.focus = focus
    rendition.hasChapters = speakers.chapters == .on
    call.apply(to: &rendition)
    try encoding?.apply(to: &rendition, output: output)
    try look.apply(to: &rendition)
    if rendition.overlays.background == nil, let path = wish.background, Color(path) == nil {
      rendition.overlays.background = input.path(of: path)
    }
    return rendition
  }

  /// The canvas: what is given, else what the layout is written for, else what the recording asks
  /// for, else what its own layout is written for, else 1080p.
  private func canvas(
    of policy: (any LayoutPolicy)?, _ input: CallInput
  ) throws(RenderError) -> ProposedSize {
    if let size { return size }
    let wished = input.recording.canvas.size.flatMap { ProposedSize($0) }
    var resolution = policy?.resolution.map(ProposedSize.init) ?? wished
    if resolution == nil, policy == nil {
      resolution = try input.layoutResolution.map(ProposedSize.init)
    }
    guard let resolution else {
      return ProposedSize(width: 1920, height: 1080)
    }
    guard resolution.videoProblem == nil else {
      throw RenderError(
        .usage,
        "no video can have the size \(resolution) that the layout or the recording asks for; give "
          + "--size.")
    }
    return resolution
  }

  /// The kernels that `--cpu` names.
  func kernels() throws(RenderError) -> Kernels { try cpu.kernels() }
}

extension KernelChoice {
  /// The kernels of that name.
  func kernels() throws(RenderError) -> Kernels {
    guard case .level(let wanted) = self else { return Kernels() }
    guard let level = wanted.substitute else {
      let names = Kernels.Level.available.map(\.rawValue).joined(separator: ", ")
      throw RenderError(
        .usage, "this processor cannot do --cpu \(wanted.rawValue); it can do \(names).")
    }
    return Kernels(level: level)
  }
}
