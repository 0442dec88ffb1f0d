import ArgumentParser
import Foundation
import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline

/// `tessera render`.
struct RenderCommand: RenditionCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Renders recordings into one video, or one file of sound.",
    usage: "tessera render INPUT... -o OUT.mp4 [options]",
    discussion: """
      Examples:
        tessera render ada.webm ben.webm -o call.mp4          files, one person each
        tessera render recording/ -o call.mp4                 a recorder's folder, or its .zip
        tessera render recording/ -o call.mp4 --layout speaker --size 1280x720
        tessera render recording/ -o call.m4a --loudness speech
        tessera render recording/ -o call.mp4 --also mail.mp4:size=640x360,fps=15 --also call.m4a
        tessera render recording/ -o call.mp4 --from 1:00 --to 1:30 --progress json

      Progress and messages go to the standard error, the line about the finished file to the \
      standard output.

      \(ExitStatus.help)

      To complete options in a shell: \
      "tessera --generate-completion-script bash > \
      ~/.local/share/bash-completion/completions/tessera" (or zsh, fish).
      """)

  @OptionGroup(title: "Picture")
  var picture: PictureOptions

  @OptionGroup(title: "Encoding")
  var encoding: EncodingOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to make.", valueName: "out.mp4"),
    completion: .file())
  var output: String

  @OptionGroup(title: "Outputs")
  var others: OutputsOptions

  @OptionGroup(title: "Part")
  var range: RangeOptions

  @OptionGroup(title: "Means")
  var engine: EngineOptions

  @Flag(help: "Fail instead of rendering with losses.")
  var strict = false

  @OptionGroup
  var lossOptions: LossOptions

  @Flag(help: "Fail on notes, too.")
  var strictNotes = false

  @Flag(help: "Render without the inputs that do not exist, with a loss for each.")
  var allowMissing = false

  @Option(
    help: ArgumentHelp(
      "Write what every input contributed and lost into this file; - is the standard output.",
      valueName: "file.json"),
    completion: .file())
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Write a page that plays the output and shows who was there and spoke.",
      valueName: "call.html"),
    completion: .file(extensions: ["html"]))
  var page: String?

  @OptionGroup(title: "Page")
  var pageOptions: PageOptions

  @Option(
    help: ArgumentHelp(
      "Write each person's sound as a file of its own into this folder.", valueName: "dir"),
    completion: .directory)
  var stems: String?

  @Option(help: "The format of these files: wav or flac.")
  var stemFormat = StemFormat.wav

  @Flag(help: "Replace an output that Tessera did not make.")
  var overwrite = false

  @OptionGroup
  var progress: ProgressOptions

  @Option(
    help: ArgumentHelp(
      "Write hashes of all frames and of the sound into this file instead of rendering.",
      visibility: .hidden))
  var canvasHashes: String?

  @Option(
    help: ArgumentHelp(
      "What the output is to say that it was made from.", visibility: .hidden))
  var madeFrom: String?

  mutating func validate() throws {
    if others.hls != nil {
      output = OutputFolder.withoutSlash(output)
    } else if OutputContainer(path: output) == nil {
      throw ValidationError.ending(output)
    }
    if let page { try PageOptions.requireEnding(page, of: "--page") }
    if let stems, stems.isEmpty { throw ValidationError("--stems has no name; name a folder.") }
  }

  func run() throws {
    Interrupts.install()
    if others.hls != nil {
      try OutputFolder.require(output, .stream, protecting: files, overwriting: overwrite)
    } else {
      try OutputFile.require(
        output, protecting: files, overwriting: overwrite || canvasHashes != nil, mark: .tags)
    }
    if let reportFile {
      try OutputFile.require(
        reportFile, protecting: files + [output], overwriting: overwrite, mark: .member)
    }
    if let canvasHashes {
      try OutputFile.require(
        canvasHashes, protecting: protectedBySpeakers, overwriting: overwrite, mark: .record)
    }
    try picture.speakers.require(protecting: protectedBySpeakers, overwriting: overwrite)
    if let page {
      try OutputFile.require(page, protecting: protectedByPage, overwriting: overwrite)
      try pageOptions.requirePlayable(output, by: page)
    }
    var (plan, stills) = (Plan?.none, StillOutputs())
    var stages = StageTimes()
    var (rendered, placed) = (RenderReport?.none, [String]())
    do {
      let result = try render(&plan, &stages, &stills)
      let made = result.withOthers.filter { $0.error == nil }
      (rendered, placed) = (result, made.map(\.output) + stills.made)
      for path in placed { RemoteNames.tell(made: path) }
      if let plan {
        try picture.speakers.write(
          plan, protecting: protectedBySpeakers, overwriting: overwrite)
      }
      placed += picture.speakers.outputs
      try write(result)
      placed += [reportFile].compactMap { $0 }
      if let stop = stills.stop { throw stop }
      if let page, result.error == nil {
        try pageOptions.write(
          result, and: Array(made.dropFirst()), to: page,
          protecting: protectedByPage + made.map(\.output) + stills.made, overwriting: overwrite)
      }
      if reportFile != nil || report == nil {
        for report in made { StandardOutput.say(Summary.line(report)) }
        for path in stills.made { StandardOutput.say(path) }
      }
      for failure in stills.failures { Terminal.say("error: \(failure.message)") }
      let isLossy = made.contains(where: \.hasLosses) && !lossOptions.areAccepted
      let isWhole = made.count == result.withOthers.count && stills.failures.isEmpty
      let status: ExitStatus? = !isWhole ? .failed : isLossy ? .renderedWithLosses : nil
      var words = Summary.result(result, status, stills: stills.made)
      words.error = words.error ?? stills.failures.first?.message
      words.processorSeconds = stages.finish("joining")
      Terminal.finish(words)
      if let status { throw status }
    } catch let error as RenderError {
      // Its own failure to be written is less than what it would tell.
      if rendered == nil { try? write(RenderReport(failed: error, plan)) }
      guard error.kind == .cancelled, !placed.isEmpty else { throw error }
      throw RenderError.stopped(Interrupts.cancellation, made: placed)
    }
  }

  /// What the file of `--speakers` must not be.
  private var protectedBySpeakers: [String] {
    files + [output] + [reportFile].compactMap { $0 }
  }

  /// What no further output must be.
  private var protectedByOthers: [String] {
    protectedByPage + (page.map { [$0, PageOptions.thumbnails(of: $0)] } ?? [])
  }

  /// What the page must not be.
  private var protectedByPage: [String] { protectedBySpeakers + picture.speakers.outputs }

  /// The report's file; nil where it is not wanted, or goes to the standard output.
  private var reportFile: String? { report == "-" ? nil : report }

  private func render(
    _ planned: inout Plan?, _ stages: inout StageTimes, _ stills: inout StillOutputs
  ) throws(RenderError) -> RenderReport {
    let cancellation = Interrupts.cancellation
    let kernels = try picture.kernels()
    let printer = progress.printer
    defer { printer.finish() }
    var call = try callRequest(
      allowsMissing: allowMissing, readers: engine.readers, printer: printer)
    if page != nil { call.wantsTurns = true }
    let main = try rendition(of: call, as: OutputKind(path: output))
    let further = try further(
      beside: main, of: call, at: output, protecting: protectedByOthers, overwriting: overwrite)
    let outputs = outputs(of: main, at: output) + further.outputs
    try StillOutputs.require(further.stills, of: outputs.map(\.target))
    let plans = try Planner.plans(
      outputs.map(\.rendition), of: call, cancellation: cancellation)
    let plan = plans[0]
    printer.finish()
    planned = plan
    stages.end("planning")
    try picture.speakers.require(protecting: plan.files, overwriting: overwrite)
    let known = Set(Terminal.announce(plans))
    if let canvasHashes {
      var file = try OutputFile(
        canvasHashes, protecting: protectedBySpeakers, overwriting: overwrite, mark: .record)
      let text = try CanvasHashes.text(of: plan, kernels: kernels, cancellation: cancellation)
      try file.write(Data(text.utf8))
      throw RenderError(.cancelled, "the hashes are in \(canvasHashes); nothing was rendered.")
    }
    if strictNotes, let note = plans.lazy.flatMap(\.notes).first {
      throw RenderError(.failure, "--strict-notes refuses a note: \(note)")
    }
    var settings = engine.settings(
      output: output, picture: picture, isStrict: strict || strictNotes)
    (settings.madeFrom, settings.isOverwriting) = (madeFrom, overwrite)
    settings.stems = stems.map {
      StemFolder(
        $0, container: stemFormat.container, channelCount: encoding.sound.audioChannels.count)
    }
    let renderer = Renderer(
      plans, kernels: kernels, settings: settings, cancellation: cancellation)
    var isTold = false
    let result = try renderer.render(to: outputs.map(\.target)) { progress in
      if progress.reused > 0, !isTold {
        isTold = true
        Terminal.say(
          "note: \(progress.reused) of \(progress.frameCount) frames are there from an earlier run."
        )
      }
      if progress.phase == .joining {
        stages.end("pictures", but: ("sound", progress.soundProcessorSeconds))
      }
      printer.update(progress)
    }
    printer.finish()
    Terminal.warn(of: result, except: known)
    stills.make(
      further.stills, of: zip(plans, outputs.map(\.target)), result,
      protecting: protectedByOthers + further.outputs.map(\.target.path), overwriting: overwrite)
    return result
  }

  private func write(_ result: RenderReport) throws {
    guard report != nil else { return }
    let text = try JSONFile.text(result)
    guard let reportFile else { return try StandardOutput.write(text) }
    var file = try OutputFile(
      reportFile, protecting: files + [output], overwriting: overwrite, mark: .member)
    try file.write(text)
  }
}

/// The format of stems.
enum StemFormat: String, ExpressibleByArgument, CaseIterable {
  case wav
  case flac

  var container: OutputContainer { self == .wav ? .wav : .flac }
}
