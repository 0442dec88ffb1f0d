package import TesseraCodecs
package import TesseraMessages
import TesseraPixels
public import TesseraTimeline

/// Describes one render: inputs, outputs, sidecar files and execution settings.
///
/// The command line, session files, batches and programs all produce this type.
public struct RenderRequest: Sendable {
  /// The version of a request's JSON that this build reads and writes.
  public static let version = 1

  /// The paths or addresses of a call (one folder, archive, manifest or session file) or of its
  /// media files.
  public var inputs: [String]
  /// Options that describe the call, for all outputs.
  public var call = CallOptions()
  /// Options shared by all outputs; an output's own options take precedence.
  public var outputDefaults = RenditionOptions()
  /// The outputs; a render needs at least one. The first is the main output.
  public var outputs: [OutputRequest]
  /// The sidecar files about the call.
  public var sidecars = SidecarRequest()
  /// The execution settings. They never change the output's content.
  public var execution = ExecutionOptions()

  /// Creates a request that renders `inputs` into `outputs`.
  public init(_ inputs: [String], to outputs: [OutputRequest]) {
    (self.inputs, self.outputs) = (inputs, outputs)
  }

  /// Creates a request that renders the call at `input` into a file at `output`, whose extension
  /// selects the format.
  public init(_ input: String, to output: String) { self.init([input], to: [.file(output)]) }
}

/// One output of a render: its path, its kind, and options that differ from the shared ones.
public struct OutputRequest: Sendable {
  /// The kind of an output.
  public enum Kind: Hashable, Sendable {
    /// A video or audio file; the name's extension selects the format.
    case file
    /// An HLS folder with one rendition for each size. Sizes are the shorter side in pixels; the
    /// first is the one that players start with.
    case stream([Int])
    /// A folder of sprite sheets with a thumbnail at each interval.
    case thumbnails(every: MediaTime)
    /// A still picture at a time of the output; `nil` picks the most representative time.
    case poster(at: MediaTime?)
  }

  /// The path or address of the file or folder.
  public var destination: String
  /// The kind of output.
  public var kind: Kind
  /// Options that differ from the shared options of the request.
  public var options = RenditionOptions()
  /// The file format, if the place's extension does not determine it; otherwise `nil`.
  package var format: OutputContainer?
  /// The table row of a clip, the chapter, or the further output that this part of the call is made
  /// for, for messages; `nil` for other outputs.
  package var source: UserMessage?

  /// The placeholder for a clip's title in a place. An output whose place contains it is made once
  /// for each clip.
  package static let titleMark = "{title}"
  /// The placeholder for a clip's number, from 1, in a place. All numbers have as many digits as the
  /// last.
  package static let numberMark = "{number}"

  /// Creates an output of the given kind. A trailing slash of a folder is dropped.
  public init(_ destination: String, _ kind: Kind, options: RenditionOptions = RenditionOptions()) {
    (self.kind, self.options) = (kind, options)
    let hasSlash = kind != .file && destination.hasSuffix("/") && destination.count > 1
    self.destination = hasSlash ? String(destination.dropLast()) : destination
  }

  /// The container format of the file, or of each HLS rendition; `nil` if it is unknown.
  package var container: OutputContainer? {
    if case .stream = kind { .mp4 } else { format ?? OutputContainer(path: destination) }
  }

  /// True if the output consists of still pictures, taken from the first output with video.
  package var isStill: Bool {
    switch kind {
    case .file, .stream: false
    case .thumbnails, .poster: true
    }
  }

  /// True if the output is made once for each clip or chapter.
  package var isTemplate: Bool { destination.contains(Self.titleMark) }

  /// Creates a video or audio output at `destination`, whose extension selects the format.
  public static func file(_ destination: String) -> OutputRequest {
    OutputRequest(destination, .file)
  }

  /// Creates an HLS output in the folder `destination` with renditions of these sizes, given as the
  /// shorter side in pixels.
  public static func stream(_ destination: String, _ sides: [Int]) -> OutputRequest {
    OutputRequest(destination, .stream(sides))
  }

  /// Creates an output of thumbnails in the folder `destination`, one at each interval of `every`.
  public static func thumbnails(_ destination: String, every: MediaTime) -> OutputRequest {
    OutputRequest(destination, .thumbnails(every: every))
  }

  /// Creates a still picture at `destination`; without a time, the most representative one is
  /// picked.
  public static func poster(_ destination: String, at time: MediaTime? = nil) -> OutputRequest {
    OutputRequest(destination, .poster(at: time))
  }
}

/// The sidecar files written beside the outputs. A `nil` path means that the file is not written.
public struct SidecarRequest: Sendable {
  /// The JSON report of each input's contributions and losses; `-` for standard output.
  public var report: String?
  /// An HTML page that plays the output and shows who was present and who spoke.
  public var page: String?
  /// The video's address in the page, absolute or relative to the page; `nil` derives it from the
  /// output's path.
  public var pageVideo: String?
  /// The readers of the page (default: viewers).
  public var pageAudience: PageAudience?
  /// True to write thumbnails beside the page (default: true).
  public var pageThumbnails: Bool?
  /// The proof file, which states the expected content of every frame and the audio for `tessera
  /// verify`.
  public var proof: String?
  /// The speakers' turns, for example as WebVTT; the extension selects the format.
  public var speakers: String?
  /// The transcript files; each extension selects the file's format.
  var transcripts: [TranscriptOutput]?
  /// A folder for the stems: one audio file for each participant.
  public var stems: String?
  /// The format of the stems (default: WAV).
  public var stemFormat: StemFormat?

  /// Creates a value that requests no sidecar files.
  public init() {}

  /// The paths of the transcript files, such as `.vtt`, `.txt` or `.md`.
  public var transcriptFiles: [String] {
    get { transcripts?.map(\.path) ?? [] }
    set { transcripts = newValue.isEmpty ? nil : newValue.compactMap(TranscriptOutput.init) }
  }

  /// The transcript files with their formats.
  package var transcriptOutputs: [TranscriptOutput] { transcripts ?? [] }

  /// The paths of all requested files, except standard output and the stems folder.
  package var files: [String] {
    [report == "-" ? nil : report, page, proof, speakers].compactMap { $0 } + transcriptFiles
  }
}

/// A lossless audio format for stems.
public enum StemFormat: String, Hashable, Sendable, CaseIterable {
  case wav
  case flac
}

extension StemFormat: OptionValue {}

/// The readers that a page is made for.
public enum PageAudience: String, Hashable, Sendable, CaseIterable {
  /// Readers who watch the call.
  case viewers
  /// Readers who also strike lines of the transcript, for `--edits`.
  case editors
}

extension PageAudience: OptionValue {}

/// Execution settings of a render: workers, memory, caches and error policy.
public struct ExecutionOptions: Sendable {
  /// The place where jobs run.
  public enum Executor: Hashable, Sendable {
    /// Worker processes on this machine, so that a crashing decoder ends only its own process.
    case processes
    /// Threads of this process.
    case threads
    /// A Slurm cluster, with options for `sbatch`.
    case slurm([String])
  }

  /// The number of concurrent workers, `1...1024`; `nil` for as many as processors and memory
  /// allow.
  public var jobs: Int?
  /// The memory limit of all workers together (default: four fifths of the free memory).
  var memory: ByteCount?
  /// The folder for finished pieces, which is kept for later renders. `nil` for a folder beside the
  /// output that is removed at the end.
  public var workFolder: String?
  /// The place where jobs run (default: processes).
  public var executor: Executor?
  /// True to retry inputs that crashed workers in an earlier run (default: false).
  public var retriesLosses: Bool?
  /// The only folder in which workers may open files; `nil` for no restriction.
  public var root: String?
  /// True to fail instead of rendering with losses (default: false).
  public var isStrict: Bool?
  /// True to fail on notes, too (default: false).
  public var refusesNotes: Bool?
  /// True to exit with 0 instead of 3 after a render with losses (default: false).
  public var acceptsLosses: Bool?
  /// True to decode the finished outputs and compare them with what was composed (default: false).
  public var verifies: Bool?
  /// True to replace existing files that Tessera did not make (default: false).
  public var overwrites: Bool?
  /// The SIMD level of the pixel kernels, or `auto` (the default). All levels produce the same
  /// output.
  var kernels: String?
  /// The folder for cached analyses of recordings; `nil` for the user's cache folder.
  public var cache: String?
  /// True to read all recordings again and cache nothing (default: false).
  public var ignoresCache: Bool?
  /// The maximum size to fetch for one remote input (default: 256G).
  var maximumInputSize: ByteCount?
  /// True to follow redirects of inputs to other hosts (default: false).
  public var followsRedirects: Bool?
  /// The folder for fetched inputs; `nil` for the user's cache folder.
  public var fetchCache: String?
  /// A file with credentials for fetching, which must not appear on a command line; `nil` for none.
  public var secrets: String?

  /// Creates default settings.
  public init() {}

  /// The memory limit of all workers together in bytes, above 0; `nil` for four fifths of the free
  /// memory.
  public var memoryLimit: Int? {
    get { memory?.value }
    set { memory = newValue.flatMap { ByteCount(option: "\($0)") } }
  }

  /// The maximum number of bytes to fetch for one input, above 0 (default: 256 GiB).
  public var inputSizeLimit: Int? {
    get { maximumInputSize?.value }
    set { maximumInputSize = newValue.flatMap { ByteCount(option: "\($0)") } }
  }

  /// The name of the SIMD level of the pixel kernels, or `auto`.
  package var kernelName: String { kernels ?? "auto" }
}

extension ExecutionOptions.Executor: OptionValue {
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
