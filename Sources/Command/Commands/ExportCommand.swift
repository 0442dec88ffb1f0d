import ArgumentParser
import Foundation
import TesseraArchives
import TesseraDelivery
import TesseraExport
import TesseraJobs
import TesseraPlan
import TesseraPlanning

/// `tessera export`.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes the call as an editor's project, without rendering.",
    usage: "tessera export INPUT... -o CALL.otio|CALL.mlt|CALL.edl [options]",
    discussion: """
      Every original file lies at its place, as rendering would put it, with a track for each camera, \
      screen and voice, and a programme of what --layout shows largest (cuts: a director's shots); what --cut, --tighten or --edits cut \
      is cut of all of them. Chapters and turns are markers.

        call.otio   OpenTimelineIO: DaVinci Resolve, Premiere Pro, Kdenlive
        call.mlt    Shotcut, Kdenlive, and melt
        call.edl    an edit decision list (CMX 3600) of the programme alone
      """)

  @OptionGroup
  var input: InputOptions

  @OptionGroup(title: "Picture")
  var canvas: CanvasOptions

  @OptionGroup(title: "Call")
  var call: CallPartOptions

  @OptionGroup(title: "Speakers")
  var said: SaidOptions

  @OptionGroup(title: "Part")
  var range: RangeOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The project to make.", valueName: "call.otio"),
    completion: .file(extensions: Project.Format.allCases.map(\.rawValue)))
  var output: String

  @OptionGroup(title: "Machine")
  var cache: CacheOptions

  @Flag("overwrite")
  var overwrite = false

  @Flag("accept-losses")
  var acceptLosses = false

  @OptionGroup
  var progress: ProgressOptions

  private var format: Project.Format? {
    Project.Format(rawValue: URL(fileURLWithPath: output).pathExtension.lowercased())
  }

  func validate() throws {
    guard format != nil else {
      throw ValidationError(
        "export makes projects of editors; give -o a name that ends in .otio, .mlt or .edl.")
    }
  }

  func run() throws {
    Interrupts.install()
    guard let format else { return }
    if RemoteNames.areGiven || input.inputs.contains(where: Source.isArchive) {
      throw RenderError(
        .usage,
        "a project refers to the files of the call, which have to stay on this machine: fetch or unpack "
          + "them first, and give their folder.")
    }
    var request = RenderRequest(input.inputs, to: [])
    try fill(&request)
    try OutputFile.require(output, protecting: request.inputFiles, overwriting: overwrite)
    let printer = progress.printer
    defer { printer.finish() }
    var call = try request.callRequest(printer)
    call.wantsTurns = true
    if request.look.layout == nil { request.look.layout = .named("cuts") }
    let rendition = try request.look(of: call.input).rendition(of: call.input)
    let plan = try Planner.plan(rendition, of: call, cancellation: Interrupts.cancellation)
    printer.finish()
    let losses = Terminal.announce([plan])
    let name =
      plan.output.title
      ?? URL(fileURLWithPath: output).deletingPathExtension()
      .lastPathComponent
    let project = Project(plan, name: name)
    for note in project.notes { Terminal.say("note: \(note)") }
    var file = try OutputFile(
      output, protecting: request.inputFiles + plan.files, overwriting: overwrite)
    try file.write(Data(project.text(format).utf8))
    let shots = project.tracks.last?.clips.count ?? 0
    StandardOutput.say(
      "\(output): \(project.media.count) files on \(project.tracks.count) tracks, "
        + "\(shots) shot\(shots == 1 ? "" : "s")")
    try Terminal.finish(output, hasLosses: !losses.isEmpty, accepted: acceptLosses)
  }
}
