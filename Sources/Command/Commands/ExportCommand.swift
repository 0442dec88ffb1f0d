import ArgumentParser
import Foundation
import TesseraArchives
import TesseraDelivery
import TesseraExport
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// `tessera export`.
struct ExportCommand: CallCommand, ProgressCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes the call as a video editor's project, without rendering.",
    usage: "tessera export INPUT... -o CALL.kdenlive [options]",
    discussion: """
      The project refers to the original files, placed as in a render: one track for each camera, \
      screen and voice, and a programme track with what --layout shows largest (default: the shots of \
      the layout cuts). --cut, --tighten and --edits cut all tracks. Chapters and turns become markers.

        call.kdenlive  Kdenlive 22.12 or newer
        call.mlt       Shotcut 22.12 or newer, and melt
        call.xml       Final Cut Pro 7 XML: Premiere Pro, DaVinci Resolve, Vegas
        call.otio      OpenTimelineIO: DaVinci Resolve, Premiere Pro 25
        call.edl       an edit decision list (CMX 3600) of the programme alone: OpenShot, any editor

      With --media conform, the project refers to new files beside it instead: a video with a constant \
      frame rate for each camera and screen, and a WAV file for each voice. All of them start with the \
      call and do not drift.
      """)

  /// The value of `--media`: a project refers to the original recordings or to conformed copies.
  enum MediaChoice: String, CaseIterable, ExpressibleByArgument {
    case originals, conform
  }

  /// The form of the paths by which a project names its media.
  enum MediaPaths: String, CaseIterable, ExpressibleByArgument { case relative, absolute }

  @OptionGroup
  var input: InputOptions

  @OptionGroup(title: "Picture")
  var canvas: CanvasLayoutOptions

  @OptionGroup(title: "Call")
  var call: ParticipantOptions

  @OptionGroup(title: "Speakers")
  var transcriptOptions: TranscriptOptions

  @OptionGroup(title: "Part")
  var range: TimeRangeOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Project to write.", valueName: "call.otio"),
    completion: .file(extensions: EditorProject.Format.allCases.map(\.rawValue)))
  var output: String

  @Option(
    help: ArgumentHelp(
      """
      Files that the project refers to: the originals, or new ones in call.media/ beside it that \
      start together, have a constant rate and do not drift (conform).
      """, valueName: "originals|conform"))
  var media = MediaChoice.originals

  @Option(
    help: ArgumentHelp(
      """
      Form of the paths of files in the project's folder and in folders beside it (default: relative; \
      absolute for .xml, whose readers expect URLs).
      """, valueName: "relative|absolute"))
  var mediaPaths: MediaPaths?

  @OptionGroup(title: "Machine")
  var cache: CacheOptions

  @Flag("overwrite")
  var overwrite = false

  @Flag("accept-losses")
  var acceptLosses = false

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  private var format: EditorProject.Format? {
    EditorProject.Format(rawValue: URL(fileURLWithPath: output).pathExtension.lowercased())
  }

  mutating func validate() throws {
    try parse()
    guard format != nil else {
      throw ValidationError(
        "-o writes a project; give it a name that ends in .kdenlive, .mlt, .xml, .otio or .edl.")
    }
  }

  func request() throws -> RenderRequest {
    let isElsewhere = { (input: String) throws in
      try CallInputFiles.isArchive(input) || Location(input).isRemote
        || SessionFileAddresses.areNamed(by: input)
    }
    if try media == .originals && input.inputs.contains(where: isElsewhere) {
      throw RenderError(
        .usage,
        "a project refers to the files of the call, which have to stay on this machine: fetch or unpack "
          + "them first, and give their folder, or make files of it with --media conform.")
    }
    return request(of: input.inputs)
  }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    guard let format else { return }
    let context = session.context
    var request = session.request
    try OutputFile.require(output, protecting: request.inputFiles, overwriting: overwrite)
    var call = try session.callRequest()
    call.wantsTurns = true
    if request.outputDefaults.layout == nil { request.outputDefaults.layout = .named("cuts") }
    let rendition = try request.rendition(of: call.input)
    let plan = try Planner.plan(rendition, of: call, cancellation: context.cancellation)
    printer.finish()
    var losses = [plan].announce(context)
    let name =
      plan.output.title
      ?? URL(fileURLWithPath: output).deletingPathExtension()
      .lastPathComponent
    if let problem = EditorProject(plan, name: name).problem(format) {
      throw RenderError(.usage, "\(file: output) \(problem)" as UserMessage)
    }
    var conformed: ConformExport?
    if media == .conform {
      let files = ConformExport(
        plan, rendition, in: URL(fileURLWithPath: output).deletingPathExtension().path + ".media")
      losses.formUnion(try conform(files, ConformExport.bare(call), request, context, printer))
      conformed = files
    }
    var project = EditorProject(plan, name: name, conformed: conformed)
    if (mediaPaths ?? (format == .xml ? .absolute : .relative)) == .relative {
      project.folder =
        URL(fileURLWithPath: output).deletingLastPathComponent().standardizedFileURL.path
    }
    for note in project.notes(format) where !plan.messages.contains(note) {
      context.note(note)
    }
    let file = try OutputFile(
      output, protecting: request.inputFiles + plan.files, overwriting: overwrite)
    try file.write(Data(project.text(format).utf8))
    StandardOutput.print("\(output): \(project.summary(format))")
    try StandardError.finish(output, hasLosses: !losses.isEmpty, accepted: acceptLosses)
  }

  /// Renders the files of `conformed`; returns their losses.
  private func conform(
    _ conformed: ConformExport, _ call: CallRequest, _ request: RenderRequest,
    _ context: RequestContext, _ printer: ProgressPrinter
  ) throws -> [Loss] {
    var execution = request.execution
    execution.overwrites = overwrite
    let report = try conformed.render(
      call, execution.settings(context), try execution.kernels(),
      context.cancellation, progress: printer.update)
    printer.finish()
    for line in report.allReports { StandardOutput.print(RenderSummaryFormatter.line(line)) }
    return report.allReports.flatMap(\.allLosses)
  }
}
