import Foundation
import TesseraCaptions
import TesseraMessages
import TesseraPixels

extension SidecarRequest {
  /// The table of sidecar options, in the order of the help.
  static let rows: [OptionRow<SidecarRequest>] = [
    .one(
      "report", \.report,
      "File for a report of what every input contributed and lost; - is the standard output.",
      value: "file.json", completion: .file([])),
    .one(
      "page", \.page,
      "HTML page that plays the output and shows who was present and spoke.",
      value: "call.html", completion: .file(["html"]),
      check: {
        isPage($0) ? nil : "makes a page; give it a name that ends in .html, such as call.html."
      }
    ),
    .one(
      "page-video", \.pageVideo,
      """
      Address at which the page finds the video: a path relative to the page, or an http or https \
      address.
      """,
      value: "address"),
    .choice(
      "page-for", \.pageAudience,
      "Readers of the page; editors can strike lines of the transcript (default: viewers)."),
    .toggle(
      "page-thumbnails", \.pageThumbnails,
      """
      Small pictures that the page shows under the pointer, in a file beside the page (default: \
      on).
      """),
    .one(
      "proof", \.proof,
      "File that describes every composed frame and the sound, for tessera verify.",
      value: "call.mp4.proof", completion: .file([])),
    .one(
      "speakers", \.speakers,
      "File for the speakers' turns: .\(turnEndings.joined(separator: ", .")).",
      value: "file.vtt|…", completion: .file(turnEndings),
      check: {
        DiarizationFormat(ending: URL(fileURLWithPath: $0).pathExtension) == nil
          ? "takes a file that ends in .\(turnEndings.joined(separator: ", ."))." : nil
      }),
    .many(
      "transcript-out", \.transcripts,
      "File for the transcript: .vtt, .srt, .txt, .md or .json; may be repeated.",
      value: "file.vtt|.md|…", expected: "a file that ends in .vtt, .srt, .txt, .md or .json",
      completion: .file(TranscriptOutput.endings)),
    .one(
      "stems", \.stems,
      "Folder for the sound of each participant, one file each.",
      value: "dir", completion: .folder,
      check: { $0.isEmpty ? "has no name; name a folder." : nil }),
    .choice(
      "stem-format", \.stemFormat,
      "Format of the stems (default: wav)."),
  ]

  /// The options that shape a file, each with the option that requests the file.
  package static let shapedFiles: KeyValuePairs<String, String> = [
    "page-video": "page", "page-for": "page", "page-thumbnails": "page", "stem-format": "stems",
  ]

  private static let turnEndings = DiarizationFormat.allCases.map(\.rawValue)

  /// Returns true if `path` has the extension of an HTML page.
  package static func isPage(_ path: String) -> Bool {
    [".html", ".htm"].contains(where: path.lowercased().hasSuffix)
  }
}

extension ExecutionOptions {
  /// The table of execution options, in the order of the help.
  static let rows: [OptionRow<ExecutionOptions>] = [
    .one(
      "jobs", \.jobs,
      "Maximum number of workers at once (default: as many as processors and memory allow).",
      expected: "a whole number, such as 20",
      check: { (1...1024).contains($0) ? nil : "takes 1 to 1024." }),
    .one(
      "memory", \.memory,
      """
      Memory that all workers together may take, such as 8G (default: four fifths of the free \
      memory).
      """,
      value: "bytes", expected: bytes,
      check: { $0.value >= 64 << 20 ? nil : "takes 64M or more, which a worker needs." }),
    .one(
      "work-dir", \.workFolder,
      """
      Folder, or s3://bucket/prefix/, in which finished pieces are kept; the next render reuses \
      those that have not changed (default: a folder beside the output, removed when it is \
      finished).
      """, value: "dir", completion: .folder),
    .one(
      "executor", \.executor,
      """
      Kind of workers: processes, threads, or slurm with options for sbatch (default: processes).
      """,
      value: "processes|threads|slurm[:k=v,…]",
      expected: "processes, threads, or slurm with options such as slurm:partition=batch",
      completion: .list(["processes", "threads", "slurm"])),
    .flag(
      "retry-losses", \.retriesLosses,
      "Retry recordings that crashed workers in an earlier run."),
    .one(
      "root", \.root,
      "The only folder in which workers open files, also through links.",
      value: "dir", completion: .folder),
    .flag(
      "strict", \.isStrict,
      "Fail instead of rendering with losses."),
    .flag(
      "strict-notes", \.refusesNotes,
      "Fail on notes, too."),
    .flag(
      "accept-losses", \.acceptsLosses,
      "Exit with 0, not 3, after losses."),
    .flag(
      "verify", \.verifies,
      """
      Play the finished output, compare every frame and the sound with what was composed, and \
      exit with 3 if they deviate.
      """
    ),
    .flag(
      "overwrite", \.overwrites,
      "Replace an output that Tessera did not make."),
    .one(
      "cpu", \.kernels,
      """
      Processor instructions to use, avx512 for the best AVX-512; the output is the same \
      (default: auto).
      """,
      choices: kernelNames, completion: .list(kernelNames),
      check: { kernelNames.contains($0) ? nil : refusal($0) }),
    .one(
      "cache", \.cache,
      """
      Folder for the results of reading recordings, reused until a recording changes; at most 2 \
      GB (default: the user's cache folder).
      """, value: "dir", completion: .folder,
      check: { $0.isEmpty ? "has no name; name a folder." : nil }),
    .flag(
      "no-cache", \.ignoresCache,
      "Read all recordings again and keep no results."),
    .one(
      "max-input-size", \.maximumInputSize,
      "Maximum size of one s3:// or https:// input (default: 256G).", value: "bytes",
      expected: bytes),
    .flag(
      "allow-redirects", \.followsRedirects,
      "Follow https:// inputs to other hosts."),
    .one(
      "fetch-cache", \.fetchCache,
      "Folder for fetched inputs, about 64 GB (default: the user's cache folder).", value: "dir",
      completion: .folder),
    .one(
      "secrets", \.secrets,
      """
      File with secrets for fetching that no command line may show: lines of NAME=value for the \
      environment, or whole addresses that replace those of a plan.
      """, value: "file", completion: .file([])),
  ]

  private static let bytes = "bytes, such as 8G or 500M"
  private static let kernelNames = ["auto"] + PixelKernels.InstructionSet.allCases.map(\.rawValue)

  private static func refusal(_ name: String) -> String {
    "cannot be \"\(name)\": give one of \(kernelNames.joined(separator: ", "))."
  }
}

/// The subject that an option of a render describes.
package enum OptionSubject: Sendable {
  /// The option describes the call, for all of its outputs.
  case call
  /// The option describes a single output.
  case output
  /// The option describes the whole render.
  case render
}

extension RenderRequest {
  /// All options of a render, with the subject of each.
  package static let rows: [(row: OptionRow<RenderRequest>, subject: OptionSubject)] =
    RenditionOptions.rows.map { ($0.lifted(\.outputDefaults), .output) }
    + CallOptions.rows.map { ($0.lifted(\.call), .call) }
    + SidecarRequest.rows.map { ($0.lifted(\.sidecars), .render) }
    + ExecutionOptions.rows.map { ($0.lifted(\.execution), .render) }

  private static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.row.name, $0) })

  /// Returns the option with this name, or `nil` if there is none.
  package static func option(
    _ name: String
  ) -> (row: OptionRow<RenderRequest>, subject: OptionSubject)? { byName[name] }

  /// A conflict between options; `nil` if there is none.
  package var problem: OptionError? {
    if let problem = outputDefaults.problem { return problem }
    guard sidecars.speakers != nil, call.speakerSource == SpeakerSource.none else { return nil }
    return OptionError(
      "speakers",
      "needs active speakers, which \(option: "speaker-source") none turns off; leave one out.")
  }

  /// The first option that shapes a file which is not requested; `nil` if there is none. Only the
  /// request of a single render has to be complete: the jobs of a batch share options.
  package var incompleteOption: OptionError? {
    for (name, file) in SidecarRequest.shapedFiles where texts(name) != nil && texts(file) == nil {
      return OptionError(
        name, "needs \(option: file), which makes the file; add it, or leave \(option: name) out.")
    }
    return nil
  }

  package static let optionNames = rows.map(\.row.name)
}
