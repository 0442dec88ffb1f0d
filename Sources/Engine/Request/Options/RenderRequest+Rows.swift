import Foundation
import TesseraCaptions
import TesseraPixels
import TesseraRecordings

extension RequestSidecars {
  /// The table of sidecar options, in the order of the help.
  static let rows: [OptionRow<RequestSidecars>] = [
    .one(
      "report", \.report,
      "Write what every input contributed and lost into this file; - is the standard output.",
      value: "file.json", completion: .file([])),
    .one(
      "page", \.page, "Write a page that plays the output and shows who was there and spoke.",
      value: "call.html", completion: .file(["html"]),
      check: {
        isPage($0) ? nil : "makes a page; give it a name that ends in .html, such as call.html."
      }
    ),
    .one(
      "page-video", \.pageVideo,
      "Where the page finds the video: a path relative to it, or an http or https address.",
      value: "address"),
    .choice(
      "page-for", \.pageAudience,
      "The page's readers (viewers); editors can strike lines of the transcript."),
    .toggle(
      "page-thumbnails", \.pageThumbnails,
      "Whether small pictures, for under the pointer, are made beside the page (on)."),
    .one(
      "proof", \.proof,
      "Write what every frame and the sound have to be into this file, for tessera verify.",
      value: "call.mp4.proof", completion: .file([])),
    .one(
      "speakers", \.speakers,
      "Write the speakers' turns into this file: .\(turnEndings.joined(separator: ", .")).",
      value: "file.vtt|…", completion: .file(turnEndings),
      check: {
        TurnsFormat(ending: URL(fileURLWithPath: $0).pathExtension) == nil
          ? "takes a file that ends in .\(turnEndings.joined(separator: ", ."))." : nil
      }),
    .many(
      "transcript-out", \.transcripts,
      "Write what was said into this file, .vtt, .srt, .txt, .md or .json; may be repeated.",
      value: "file.vtt|.md|…", expected: "a file that ends in .vtt, .srt, .txt, .md or .json",
      completion: .file(TranscriptOutput.endings)),
    .one(
      "stems", \.stems, "Write each person's sound as a file of its own into this folder.",
      value: "dir", completion: .folder,
      check: { $0.isEmpty ? "has no name; name a folder." : nil }),
    .choice("stem-format", \.stemFormat, "The format of these files (wav)."),
  ]

  private static let turnEndings = TurnsFormat.allCases.map(\.rawValue)

  /// Returns true if `path` has the extension of an HTML page.
  package static func isPage(_ path: String) -> Bool {
    [".html", ".htm"].contains(where: path.lowercased().hasSuffix)
  }
}

extension RequestMeans {
  /// The table of execution options, in the order of the help.
  static let rows: [OptionRow<RequestMeans>] = [
    .one(
      "jobs", \.jobs, "How many workers run at once (as many as processors and memory allow).",
      expected: "a whole number, such as 20",
      check: { (1...1024).contains($0) ? nil : "takes 1 to 1024." }),
    .one(
      "memory", \.memory,
      "The memory that all workers together may take, like 8G (four fifths of what is free).",
      value: "bytes", expected: bytes,
      check: { $0.value >= 64 << 20 ? nil : "takes 64M or more, which a worker needs." }),
    .one(
      "work-dir", \.workFolder,
      """
      Where what is finished is kept, s3://bucket/prefix/ too, also afterwards; the next render \
      reuses what has not changed (a folder beside the output, which goes when it is done).
      """, value: "dir", completion: .folder),
    .one(
      "executor", \.executor,
      "Where the work is done: processes, threads, or slurm with options for sbatch (processes).",
      value: "processes|threads|slurm[:k=v,…]",
      expected: "processes, threads, or slurm with options such as slurm:partition=batch",
      completion: .list(["processes", "threads", "slurm"])),
    .flag(
      "retry-losses", \.retriesLosses, "Try again what brought workers down in an earlier run."),
    .one(
      "root", \.root, "The folder that workers open files in, and no others, whatever links say.",
      value: "dir", completion: .folder),
    .flag("strict", \.isStrict, "Fail instead of rendering with losses."),
    .flag("strict-notes", \.refusesNotes, "Fail on notes, too."),
    .flag(
      "accept-losses", \.acceptsLosses, "Exit with 0, not 3, where something was lost."),
    .flag(
      "verify", \.verifies,
      "Play what was made, and compare every frame and the sound with what was composed; 3 where it deviates."
    ),
    .flag("overwrite", \.overwrites, "Replace an output that Tessera did not make."),
    .one(
      "cpu", \.kernels,
      "The processor's instructions to use, avx512 for its best AVX-512; the result is the same (auto).",
      choices: kernelNames, completion: .list(kernelNames),
      check: { kernelNames.contains($0) ? nil : refusal($0) }),
    .one(
      "cache", \.cache,
      """
      Where what was found in recordings is kept, so that they are not read again before they \
      change; at most 2 GB (the user's cache folder).
      """, value: "dir", completion: .folder,
      check: { $0.isEmpty ? "has no name; name a folder." : nil }),
    .flag("no-cache", \.ignoresCache, "Read all recordings again, and keep nothing."),
    .one(
      "max-input-size", \.maximumInputSize,
      "The most that is fetched for one s3:// or https:// input (256G).", value: "bytes",
      expected: bytes),
    .flag("allow-redirects", \.followsRedirects, "Follow https:// inputs to other hosts."),
    .one(
      "fetch-cache", \.fetchCache,
      "Where fetched inputs are kept, about 64 GB (the user's cache folder).", value: "dir",
      completion: .folder),
    .one(
      "secrets", \.secrets,
      """
      A file with what fetching needs and no command line may show: NAME=value of the \
      environment, and whole addresses for those of a plan; one a line.
      """, value: "file", completion: .file([])),
  ]

  private static let bytes = "bytes, such as 8G or 500M"
  private static let kernelNames = ["auto"] + Kernels.Level.allCases.map(\.rawValue)

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
    RenditionOptions.rows.map { ($0.lifted(\.look), .output) }
    + CallOptions.rows.map { ($0.lifted(\.call), .call) }
    + RequestSidecars.rows.map { ($0.lifted(\.sidecars), .render) }
    + RequestMeans.rows.map { ($0.lifted(\.means), .render) }

  private static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.row.name, $0) })

  /// Returns the option with this name, or `nil` if there is none.
  package static func option(
    _ name: String
  ) -> (row: OptionRow<RenderRequest>, subject: OptionSubject)? { byName[name] }

  /// A conflict between options; `nil` if there is none.
  package var problem: OptionError? {
    if let problem = look.problem { return problem }
    guard sidecars.speakers != nil, call.speakerSource == SpeakerSource.none else { return nil }
    return OptionError(
      "speakers", "needs active speakers, which --speaker-source none turns off; leave one out.")
  }

  package static let optionNames = rows.map(\.row.name)
}
