import ArgumentParser
import Foundation
import TesseraCaptions
import TesseraCodecs
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// `tessera edit`.
struct EditCommand: CallCommand, ProgressCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Writes planned cuts, or a transcript, to a file for editing.",
    usage: "tessera edit INPUT... -o EDITS.yaml|CALL.md [--tighten on] [--cut FROM-TO]...",
    discussion: """
      Lists the parts that would be cut, and writes them to a file for --edits:

        tessera edit recording/ --tighten on -o edits.yaml
        tessera render recording/ --edits edits.yaml -o call.mp4

      Or writes the transcript, in which any editor can delete or strike (~~so~~) words:

        tessera edit recording/ --without-fillers on -o call.md
        tessera render recording/ --edits call.md -o call.mp4
      """)

  @OptionGroup
  var input: InputOptions

  @OptionGroup(title: "Call")
  var call: ParticipantOptions

  @OptionGroup(title: "Speakers")
  var transcriptOptions: TranscriptOptions

  @OptionGroup(title: "Part")
  var range: TimeRangeOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File of edits, or transcript, to write.", valueName: "edits.yaml|call.md"),
    completion: .file(extensions: ["yaml", "json", "md"]))
  var output: String

  @OptionGroup(title: "Machine")
  var cache: CacheOptions

  @Flag("overwrite")
  var overwrite = false

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  /// The number of cuts that are listed, the longest first.
  private static let listed = 10

  mutating func validate() throws {
    try parse()
    guard isTranscript || [".yaml", ".yml"].contains(where: output.lowercased().hasSuffix) else {
      throw ValidationError(
        "-o makes a file of edits; give it a name that ends in .yaml, or in .md for the transcript."
      )
    }
  }

  private var isTranscript: Bool { output.lowercased().hasSuffix(".md") }

  func request() throws -> RenderRequest { request(of: input.inputs) }

  var places: [OutputLocation] { [OutputLocation(output)] }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    let (request, output, context) = (session.request, session.places[0].file, session.context)
    try OutputFile.require(output, protecting: request.inputFiles, overwriting: overwrite)
    let call = try session.callRequest()
    var rendition = try request.rendition(of: call.input)
    rendition.hasPictures = false
    rendition.findsCandidates = !isTranscript
    let plan = try Planner.plan(rendition, of: call, cancellation: context.cancellation)
    printer.finish()
    for note in plan.messages { context.note(note) }
    let file = try OutputFile(
      output, protecting: request.inputFiles + plan.files, overwriting: overwrite)
    try file.write(Data(try text(plan).utf8))
    let summary = Self.summary(
      cuts: plan.removals.map(\.interval.duration), muteCount: plan.mutes.count,
      of: plan.output.video.frameRate.time(ofFrame: plan.frameCount))
    StandardOutput.print("\(self.output): \(summary)")
    for removal in plan.removals.sorted(by: { $0.interval.duration > $1.interval.duration })
      .prefix(Self.listed).sorted(by: { $0.interval.start < $1.interval.start })
    {
      let length = removal.interval.duration.roundedToTenths.clockWithTenths
      StandardOutput.print(
        "  \(removal.interval.start.clockWithTenths): \(length), \(removal.reason)")
    }
  }

  /// Returns the text to write: the edited transcript or the list of cuts.
  private func text(_ plan: Plan) throws(RenderError) -> String {
    if isTranscript {
      guard !plan.lines.isEmpty else {
        throw RenderError(
          .usage,
          "the call has no transcript to edit; give a file with --transcript, or "
            + "a recognizer with --transcriber; -o edits.yaml writes the cuts without one.")
      }
      return plan.editableTranscript.markdown(title: plan.output.title, isEditable: true)
    }
    var edits = EditList()
    edits.cut = plan.removals.map {
      EditList.EditedRange(from: $0.interval.start, to: $0.interval.end, reason: $0.reason)
    }
    edits.mute = plan.mutes.map { mute in
      EditList.MutedRange(
        mute.participant.rawValue,
        EditList.EditedRange(from: mute.interval.start, to: mute.interval.end))
    }
    return edits.text(
      maybe: plan.maybe.map {
        EditList.EditedRange(from: $0.interval.start, to: $0.interval.end, reason: $0.reason)
      })
  }

  /// Returns a summary of the cuts and mutes of a call, such as
  /// `12:04.2 of 1:02:11.0 in 214 cuts, 3 mutes`.
  static func summary(cuts: [MediaTime], muteCount: Int, of whole: MediaTime) -> String {
    let clock = { (time: MediaTime) in time.roundedToTenths.clockWithTenths }
    let gone =
      cuts.isEmpty
      ? "nothing is cut of \(clock(whole))"
      : "\(clock(cuts.reduce(.zero, +))) of \(clock(whole)) in \(cuts.count.counted("cut"))"
    return muteCount == 0 ? gone : "\(gone), \(muteCount.counted("mute"))"
  }
}
