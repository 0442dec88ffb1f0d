import ArgumentParser
import Foundation
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering

/// `tessera timeline`.
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draws who is there, seen and heard when, without rendering.",
    usage: "tessera timeline INPUT... -o OUT.svg [options]")

  @OptionGroup(title: "Picture")
  var picture: PictureOptions

  @OptionGroup(title: "Part")
  var range: RangeOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to make.", valueName: "out.svg"),
    completion: .file(extensions: ["svg"]))
  var output: String

  @Flag(help: "Replace an output that Tessera did not make.")
  var overwrite = false

  @OptionGroup
  var lossOptions: LossOptions

  @OptionGroup
  var progress: ProgressOptions

  func validate() throws {
    guard output.lowercased().hasSuffix(".svg") else {
      throw ValidationError("timeline makes SVG files; give -o a name that ends in .svg.")
    }
  }

  func run() throws {
    Interrupts.install()
    let cancellation = Interrupts.cancellation
    try OutputFile.require(output, protecting: picture.files, overwriting: overwrite)
    try picture.speakers.require(protecting: picture.files + [output], overwriting: overwrite)
    let printer = progress.printer
    defer { printer.finish() }
    var call = try picture.callRequest(printer: printer)
    range.apply(to: &call)
    call.wantsTurns = true
    var rendition = try picture.rendition(of: call.input)
    range.apply(to: &rendition)
    let analyses = VoiceAnalyses(cancellation: cancellation)
    let plan = try Planner.plan(
      rendition, of: call, cancellation: cancellation, analyses: analyses)
    printer.finish()
    let losses = Terminal.announce([plan])
    let voices = try analyses.hear(plan)
    printer.finish()
    var file = try OutputFile(
      output, protecting: picture.files + plan.files, overwriting: overwrite)
    try file.write(Data(TimelineDrawing(plan, voices: voices).svg.utf8))
    try picture.speakers.write(
      plan, protecting: picture.files + [output], overwriting: overwrite)
    StandardOutput.say(output)
    try Terminal.finish(
      output, hasLosses: !losses.isEmpty, accepted: lossOptions.areAccepted)
  }
}
