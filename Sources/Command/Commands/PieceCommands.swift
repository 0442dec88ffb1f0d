import ArgumentParser
import Foundation
import TesseraCodecs
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRendering
import TesseraRequest
import TesseraSystem

/// Options shared by the commands that make pieces of a plan.
struct PieceOptions: RenderRequestOptions {
  @Argument(
    help: ArgumentHelp("Plan that \"tessera plan\" wrote.", valueName: "plan.json"),
    completion: .file(extensions: ["json"]))
  var plan: String

  @Option(
    name: .customLong("work-dir"),
    help: ArgumentHelp(
      "Folder, or s3://bucket/prefix/, of the finished pieces (default: the plan's folder).",
      valueName: "dir"),
    completion: .directory)
  var workFolder: String?

  @OptionGroup
  var fetch: FetchOptions

  var parsed: RenderRequest?

  var folder: WorkFolder {
    WorkFolder(workFolder ?? URL(fileURLWithPath: plan).deletingLastPathComponent().path)
  }
}

/// Options shared by the commands that read recordings in a worker process.
struct WorkerOptions: ParsableArguments {
  @Option(
    help:
      "Processor instructions to use, avx512 for the best AVX-512; the output is the same.")
  var cpu = InstructionSetArgument.auto

  @Flag(help: "Fail instead of rendering with losses.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "The only folder in which files are opened, also through links.",
      valueName: "dir"),
    completion: .directory)
  var root: String?

  /// Returns the setup of a worker for these options that stores pieces in `folder`.
  func setup(in folder: WorkFolder) -> RenderWorker {
    RenderWorker(
      workFolder: folder.path, kernels: cpu.defaultValueDescription, isStrict: strict,
      roots: root.map { [$0] } ?? [])
  }
}

/// `tessera segment`.
struct SegmentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segment",
    abstract: "Renders segments of a plan, in any order, on any machine that has the files.")

  @OptionGroup
  var piece: PieceOptions

  @OptionGroup
  var worker: WorkerOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of the segment, from 0, or first and last number; auto takes the scheduler's task number.",
      valueName: "k[-l]|auto"))
  var index: PieceIndexArgument

  @Option(
    help: ArgumentHelp(
      "Number of decoder threads (default: OMP_NUM_THREADS if a scheduler sets it, otherwise the processors of the job).",
      valueName: "n"))
  var jobs: Int?

  func validate() throws {
    guard (jobs ?? 1) > 0 else { throw ValidationError("--jobs needs a number above 0.") }
  }

  func run() throws {
    if let jobs { MachineResources.limit(cores: jobs) }
    let range = try index.range(ProcessInfo.processInfo.environment)
    try piece.make(worker) { work in
      let last = work.sections.count - 1
      guard range.upperBound <= work.sections.count else {
        throw RenderError(.usage, "\(file: piece.plan) has the segments 0 to \(last).")
      }
      return .segments(range)
    }
  }
}

/// `tessera soundtrack`.
struct SoundtrackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soundtrack",
    abstract: "Mixes the sound of a plan, on any machine that has the files.")

  @OptionGroup
  var piece: PieceOptions

  @OptionGroup
  var worker: WorkerOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of the only piece of sound to mix, from 0, or first and last number; auto takes the scheduler's task number (default: all pieces, encoded).",
      valueName: "k[-l]|auto"))
  var index: PieceIndexArgument?

  func run() throws {
    let range = try index?.range(ProcessInfo.processInfo.environment)
    try piece.make(worker) { work in
      guard let range else { return .soundtrack }
      let count = work.soundPieceCount
      guard range.upperBound <= count else {
        throw RenderError(
          .usage,
          count == 0
            ? "the sound of \(file: piece.plan) is too short for pieces; leave --index out."
            : "\(file: piece.plan) has the pieces of sound 0 to \(count - 1).")
      }
      return .sound(range)
    }
  }
}

/// `tessera stitch`.
struct StitchCommand: CallCommand {
  static let configuration = CommandConfiguration(
    commandName: "stitch",
    abstract: "Joins the pieces of a plan into one file, without encoding again.")

  @OptionGroup
  var piece: PieceOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("File to write.", valueName: "out.mp4"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "File for a report of what every input contributed and lost.", valueName: "file.json"),
    completion: .file())
  var report: String?

  @Flag("accept-losses")
  var acceptLosses = false

  @Flag("overwrite")
  var overwrite = false

  /// Returns a request without inputs, because stitching reads only finished pieces.
  func request() throws -> RenderRequest {
    var request = RenderRequest([], to: [])
    request.execution = piece.execution
    request.execution.overwrites = overwrite
    return request
  }

  var places: [OutputLocation] {
    [OutputLocation(output)]
      + [report].compactMap(\.self).map { OutputLocation($0, isReplacing: true) }
  }

  var isRemote: Bool { get throws { try piece.bucket != nil } }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    guard let place = try piece.bucket else {
      return try stitch(piece.plan, piece.folder, session)
    }
    let joined = try StitchInputs(piece, in: place, session)
    do {
      try stitch(joined.folder.planPath, joined.folder, session)
    } catch let status as ExitStatus where status == .renderedWithLosses {
      joined.remove()
      throw status
    }
    joined.remove()
  }

  private func stitch(_ plan: String, _ folder: WorkFolder, _ session: TransferSession) throws {
    let join = RenderPieceJoiner(
      plan: plan, folder: folder, output: session.places[0].file,
      report: report.map { _ in session.places[1].file })
    let work = try WorkPlan.read(plan)
    guard work.renditions[0].rung != nil || OutputContainer(path: join.output) != nil else {
      throw ValidationError(OutputRequest.unknownEnding(output).commandLine)
    }
    let result = try join.make(
      work, protecting: [piece.plan], overwriting: overwrite, session.names, session.context)
    if result.allReports.contains(where: \.hasLosses), !acceptLosses {
      throw ExitStatus.renderedWithLosses
    }
  }
}

/// Joins the pieces of a plan.
struct RenderPieceJoiner {
  let plan: String
  /// The folder of the pieces.
  let folder: WorkFolder
  /// The main output.
  let output: String
  /// The file for the report; `nil` for none.
  let report: String?

  /// Runs as the last job of a render on a cluster. The report has the losses.
  func run() throws {
    InterruptHandler.install()
    _ = try make(
      try WorkPlan.read(plan), overwriting: true, .init(), .command(ProgressPrinter(.none)))
  }

  /// Joins the pieces of `work`, writes the report, and prints the outputs.
  ///
  /// - Parameters:
  ///   - work: the content of ``plan``.
  ///   - files: files that no output may replace.
  ///   - isOverwriting: true to replace files that Tessera did not make.
  ///   - names: the names for files in the report.
  ///   - context: receives warnings.
  /// - Returns: the report on the outputs.
  /// - Throws: an error if a piece is missing or a file cannot be written.
  fileprivate func make(
    _ work: WorkPlan, protecting files: [String] = [], overwriting isOverwriting: Bool,
    _ names: FileDisplayNames, _ context: RequestContext
  ) throws -> RenderReport {
    let protected = work.files + [plan]
    if let report {
      try OutputFile.require(
        report, protecting: protected + [output], overwriting: isOverwriting, mark: .member)
    }
    let made = try work.stitch(
      folder, to: output, protecting: [plan] + files, overwriting: isOverwriting,
      cancellation: InterruptHandler.cancellation)
    made.warn(context)
    let result = made.named(by: names)
    if let report {
      let file = try OutputFile(
        report, protecting: protected + made.allReports.map(\.output), overwriting: isOverwriting,
        mark: .member)
      try file.write(try JSONOutput.text(result))
    }
    for report in result.allReports { StandardOutput.print(report.output) }
    return result
  }
}
