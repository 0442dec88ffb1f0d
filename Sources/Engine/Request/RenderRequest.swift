package import TesseraCodecs
package import TesseraPixels
public import TesseraTimeline

/// A render as a value: what is read, what is made of it, what is written beside it, and by what
/// means. What the command line, a session file's `canvas` and `outputs`, a line of a batch and a
/// program say is this.
public struct RenderRequest: Sendable {
  /// The version of its JSON that is read and written.
  public static let version = 1

  /// A folder, archive, manifest or session file of a call, or media files: paths or addresses.
  public var inputs: [String]
  /// What is said of the call, the same for all that is made of it.
  public var call = CallOptions()
  /// What all outputs have in common, where they do not say otherwise.
  public var look = RenditionOptions()
  /// What is made, at least one; the first one is the main output.
  public var outputs: [RequestedOutput]
  /// What is written about the call beside the outputs.
  public var sidecars = RequestSidecars()
  /// By what means it is done: nothing of it changes what comes out.
  public var means = RequestMeans()

  /// `inputs`, rendered into `outputs`.
  public init(_ inputs: [String], to outputs: [RequestedOutput]) {
    (self.inputs, self.outputs) = (inputs, outputs)
  }

  /// The call at `input`, rendered into a file at `output`, whose ending says what it is.
  public init(_ input: String, to output: String) { self.init([input], to: [.file(output)]) }
}

/// One output of a render: a place, a kind, and what is asked of it differently from the others.
public struct RequestedOutput: Sendable {
  /// What it is.
  public enum Kind: Hashable, Sendable {
    /// A video, or sound: the ending of the name says which.
    case file
    /// A folder for HTTP Live Streaming with these sizes, by the shorter side in pixels, the one to
    /// begin with first.
    case stream([Int])
    /// A folder of sheets of small pictures, one every so often.
    case thumbnails(every: MediaTime)
    /// One picture, of a time of the output; nil is the one that shows the call best.
    case poster(at: MediaTime?)
  }

  /// The path or address of the file or folder.
  public var place: String
  /// What it is.
  public var kind: Kind
  /// What is asked of it differently.
  public var options = RenditionOptions()
  /// The format of the file where its place does not say it.
  package var format: OutputContainer?
  /// The row of a table of clips, or the chapter, that asks for it; nil for what is no clip.
  package var source: String?

  /// The mark of a clip's title in its name: an output that has it is made once a clip.
  package static let titleMark = "{title}"

  /// An output of that kind.
  public init(_ place: String, _ kind: Kind, options: RenditionOptions = RenditionOptions()) {
    (self.kind, self.options) = (kind, options)
    self.place = OutputPath.withoutSlash(place, unless: kind == .file)
  }

  /// The format of the file, and of each size of a stream; nil where nothing says it.
  package var container: OutputContainer? {
    if case .stream = kind { .mp4 } else { format ?? OutputContainer(path: place) }
  }

  /// True if it consists of pictures of the first output that has any.
  package var isStill: Bool {
    switch kind {
    case .file, .stream: false
    case .thumbnails, .poster: true
    }
  }

  /// True if it is made once a clip, or chapter.
  package var isTemplate: Bool { place.contains(Self.titleMark) }

  /// A video or sound at `place`, whose ending says what it is.
  public static func file(_ place: String) -> RequestedOutput { RequestedOutput(place, .file) }

  /// A folder for HTTP Live Streaming at `place` with these sizes, by the shorter side in pixels.
  public static func stream(_ place: String, _ sides: [Int]) -> RequestedOutput {
    RequestedOutput(place, .stream(sides))
  }

  /// A folder of small pictures at `place`, one `every` so often.
  public static func thumbnails(_ place: String, every: MediaTime) -> RequestedOutput {
    RequestedOutput(place, .thumbnails(every: every))
  }

  /// A picture at `place`; without a time the one that shows the call best.
  public static func poster(_ place: String, at time: MediaTime? = nil) -> RequestedOutput {
    RequestedOutput(place, .poster(at: time))
  }
}

/// What is written about a call beside its outputs.
public struct RequestSidecars: Sendable {
  /// What every input contributed and lost, as JSON; `-` is the standard output.
  public var report: String?
  /// A page that plays the output and shows who was there and spoke.
  public var page: String?
  /// Where the page finds the video, as an address or relative to the page; nil is where it is.
  public var pageVideo: String?
  /// The readers of the page; `nil` is viewers.
  public var pageAudience: PageAudience?
  /// Whether small pictures are made beside the page; nil is yes.
  public var pageThumbnails: Bool?
  /// What every frame and the sound have to be, for `tessera verify`.
  public var proof: String?
  /// The speakers' turns as WebVTT.
  public var speakers: String?
  /// What was said, in the formats that the endings say.
  var transcripts: [TranscriptOutput]?
  /// A folder for each person's sound as a file of its own.
  public var stems: String?
  /// The format of those files.
  public var stemFormat: StemFormat?

  /// Nothing.
  public init() {}

  /// Files that what was said is written to: `.vtt`, `.txt` or `.md`.
  public var transcriptFiles: [String] {
    get { transcripts?.map(\.path) ?? [] }
    set { transcripts = newValue.isEmpty ? nil : newValue.compactMap(TranscriptOutput.init) }
  }

  /// The files that what was said is written to.
  package var transcriptOutputs: [TranscriptOutput] { transcripts ?? [] }

  /// All files that it names, but for the standard output.
  package var files: [String] {
    [report == "-" ? nil : report, page, proof, speakers].compactMap { $0 } + transcriptFiles
  }
}

/// A format of sound that loses nothing.
public enum StemFormat: String, Hashable, Sendable, CaseIterable {
  case wav
  case flac
}

extension StemFormat: OptionValue {}

/// The readers that a page is made for.
public enum PageAudience: String, Hashable, Sendable, CaseIterable {
  /// They watch the call.
  case viewers
  /// They also strike lines of the transcript, for `--edits`.
  case editors
}

extension PageAudience: OptionValue {}

/// By what means a render is done.
public struct RequestMeans: Sendable {
  /// Where the work is done.
  public enum Executor: Hashable, Sendable {
    /// Processes, so that a decoder that crashes takes down only itself.
    case processes
    /// Threads of this process.
    case threads
    /// A Slurm cluster, with options for `sbatch`.
    case slurm([String])
  }

  /// How many workers run at once, 1...1024; nil is as many as processors and memory allow.
  public var jobs: Int?
  /// The memory that all workers together may take.
  var memory: ByteCount?
  /// Where what is finished is kept, also afterwards; nil is beside the output until it is done.
  public var workFolder: String?
  /// Where the work is done; nil is processes.
  public var executor: Executor?
  /// Whether what brought workers down in an earlier run is tried again.
  public var retriesLosses: Bool?
  /// The folder that workers open files in, and no others.
  public var root: String?
  /// Whether a loss is an error.
  public var isStrict: Bool?
  /// Whether a note is an error, too.
  public var refusesNotes: Bool?
  /// Whether losses that were named leave the exit code at 0.
  public var acceptsLosses: Bool?
  /// Whether the finished outputs are played and held against what was composed.
  public var verifies: Bool?
  /// Whether files that Tessera did not make are replaced.
  public var overwrites: Bool?
  /// The processor's instructions that are used, or `auto`; the result is the same.
  var kernels: String?
  /// The folder in which what was found in recordings is kept; nil is the user's cache folder.
  public var cache: String?
  /// Whether all recordings are read again, and nothing of them is kept.
  public var ignoresCache: Bool?
  /// The most that is fetched for one input.
  var maximumInputSize: ByteCount?
  /// Whether inputs are followed to other hosts.
  public var followsRedirects: Bool?
  /// The folder in which fetched inputs are kept; nil is the user's cache folder.
  public var fetchCache: String?
  /// A file with what fetching needs and no command line may show.
  public var secrets: String?

  /// The usual ones.
  public init() {}

  /// The bytes that all workers together may take, above 0; nil is four fifths of what is free.
  public var memoryLimit: Int? {
    get { memory?.value }
    set { memory = newValue.flatMap { ByteCount(option: "\($0)") } }
  }

  /// The most bytes that are fetched for one input, above 0.
  public var inputSizeLimit: Int? {
    get { maximumInputSize?.value }
    set { maximumInputSize = newValue.flatMap { ByteCount(option: "\($0)") } }
  }

  /// The name of the instructions that are used.
  package var kernelName: String { kernels ?? "auto" }

  /// The best instructions that may be used; nil leaves it to the processor.
  package var kernelLevel: Kernels.Level? {
    get { kernels.flatMap(Kernels.Level.init) }
    set { kernels = newValue?.rawValue }
  }
}

extension RequestMeans.Executor: OptionValue {
  package init?(option text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("processes", 1): self = .processes
    case ("threads", 1): self = .threads
    case ("slurm", _):
      let options = parts.dropFirst().first?.split(separator: ",").map(String.init) ?? []
      guard options.allSatisfy({ $0.contains("=") || !$0.contains(" ") }) else { return nil }
      self = .slurm(options)
    default: return nil
    }
  }

  package var optionText: String {
    switch self {
    case .processes: "processes"
    case .threads: "threads"
    case .slurm(let options):
      options.isEmpty ? "slurm" : "slurm:\(options.joined(separator: ","))"
    }
  }
}
