import ArgumentParser
import Foundation
import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline

/// `tessera plan`.
struct PlanCommand: RenditionCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Decides what is rendered and where it is cut, for workers anywhere.",
    usage: "tessera plan INPUT... -o plan.json [render's options]",
    discussion: """
      The plan is what "tessera segment", "tessera soundtrack" and "tessera stitch" read. It names \
      its inputs as they were given; workers need them under the same names.
      """)

  @OptionGroup(title: "Picture")
  var picture: PictureOptions

  @OptionGroup(title: "Encoding")
  var encoding: EncodingOptions

  @OptionGroup(title: "Outputs")
  var others: OutputsOptions

  @OptionGroup(title: "Part")
  var range: RangeOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to make.", valueName: "plan.json"),
    completion: .file())
  var output: String

  @Option(help: "The format of the video that the pieces are for (mp4).")
  var container: ContainerChoice?

  @Flag(help: "Print the segments, what they cost, and what disk and memory they need.")
  var explain = false

  @Flag(help: "Replace an output that Tessera did not make.")
  var overwrite = false

  @OptionGroup
  var lossOptions: LossOptions

  @OptionGroup
  var progress: ProgressOptions

  func run() throws {
    Interrupts.install()
    try OutputFile.require(output, protecting: files, overwriting: overwrite, mark: .member)
    try picture.speakers.require(protecting: files + [output], overwriting: overwrite)
    let printer = progress.printer
    defer { printer.finish() }
    let call = try callRequest(printer: printer)
    let rendition = try rendition(of: call, as: container.map(OutputKind.init))
    let main = outputs(of: rendition, at: "")
    let further = try further(
      beside: rendition, of: call, at: nil, protecting: files + [output] + picture.speakers.outputs,
      overwriting: true)
    let outputs = main + further.outputs
    let plans = try Planner.plans(
      outputs.map(\.rendition), of: call, cancellation: Interrupts.cancellation)
    let plan = plans[0]
    printer.finish()
    try picture.speakers.require(protecting: plan.files, overwriting: overwrite)
    let losses = Terminal.announce(plans)
    guard further.stills.isEmpty else {
      throw RenderError(
        .usage,
        "\(further.stills[0].path): pictures are made by \"tessera render\", not by a plan's pieces."
      )
    }
    var made: [RenditionPlan] = []
    for (plan, output) in zip(plans, outputs) {
      let isFile = made.isEmpty && output.target.rung == nil
      made.append(
        isFile
          ? RenditionPlan(plan, container: container?.container ?? .mp4)
          : try RenditionPlan(plan, as: output.target))
    }
    let work = WorkPlan(made)
    var file = try OutputFile(
      output, protecting: files + work.files, overwriting: overwrite, mark: .member)
    try work.write(as: &file)
    try picture.speakers.write(plan, protecting: files + [output], overwriting: overwrite)
    if explain {
      try StandardOutput.write(
        Data((work.explanation.spellingOutControls(exceptNewlines: true) + "\n").utf8))
    } else {
      StandardOutput.say("\(output): segments 0 to \(work.sections.count - 1), and the soundtrack")
    }
    try Terminal.finish(
      output, hasLosses: !losses.isEmpty, accepted: lossOptions.areAccepted)
  }
}
