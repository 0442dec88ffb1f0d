import ArgumentParser
import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering

/// A command that plans a call and what is made of it.
protocol RenditionCommand: ParsableCommand {
  var picture: PictureOptions { get }
  var encoding: EncodingOptions { get }
  var range: RangeOptions { get }
  var others: OutputsOptions { get }
}

extension RenditionCommand {
  /// The files that are read: no output may be one of them.
  var files: [String] { picture.files + encoding.files + others.files }

  /// What `main` becomes at `path`: a file, or the rungs of a folder.
  func outputs(of main: Rendition, at path: String) -> [FurtherOutputs.Output] {
    others.hls?.outputs(of: main, at: path) ?? [(.file(path), main)]
  }

  /// What the command says of the call, which is read for it.
  func callRequest(
    allowsMissing: Bool = false, readers: WorkerProgram? = EngineOptions.readers(),
    printer: ProgressPrinter
  ) throws(RenderError) -> CallRequest {
    var call = try picture.callRequest(
      allowsMissing: allowsMissing, readers: readers, printer: printer)
    call.audioTrack = encoding.sound.audioTrack ?? .preferred
    range.apply(to: &call)
    return call
  }

  /// What the command asks to be made of `call` as a file of that kind, nil where it is not known.
  func rendition(
    of call: CallRequest, as kind: OutputKind?
  ) throws(RenderError) -> Rendition {
    var rendition = try picture.rendition(of: call.input, encoding, output: kind)
    range.apply(to: &rendition)
    return rendition
  }

  /// What is asked for beside `main`, in the order in which it was; `beside` is the main output's
  /// path, nil where it is none. Makes sure that all can be made, but for what is in `protected`.
  func further(
    beside main: Rendition, of call: CallRequest, at beside: String?,
    protecting protected: [String], overwriting: Bool
  ) throws(RenderError) -> FurtherOutputs {
    var found = FurtherOutputs()
    let folder = beside.flatMap { path in
      path.lastIndex(of: "/").map { String(path[...$0]) }
    }
    let named = call.input.recording.outputs.map { wish in
      var wish = OutputWish((folder ?? "") + wish.file, wish.options)
      wish.mapPaths { call.input.path(of: $0) }
      return wish
    }
    for wish in try others.wishes() + named {
      guard !wish.file.contains("://") else {
        throw RenderError(
          .usage, "\(wish.file) lies elsewhere than the other outputs; ask for it with --also.")
      }
      let protected = protected + found.paths
      if let still = try StillOutput(wish) {
        try still.require(protecting: protected, overwriting: overwriting)
        found.stills.append(still)
      } else if let (rungs, wish) = try StreamRungs.taken(from: wish) {
        try OutputFolder.require(
          wish.file, .stream, protecting: protected, overwriting: overwriting)
        let rendition = try rendition(for: wish, as: rungs, beside: main, of: call)
        found.outputs += rungs.outputs(of: rendition, at: wish.file)
      } else {
        try OutputFile.require(
          wish.file, protecting: protected, overwriting: overwriting, mark: .tags)
        found.outputs.append(
          (.file(wish.file), try rendition(for: wish, beside: main, of: call)))
      }
    }
    return found
  }

  private func rendition(
    for wish: OutputWish, as rungs: StreamRungs? = nil, beside main: Rendition,
    of call: CallRequest
  ) throws(RenderError) -> Rendition {
    guard rungs != nil || OutputContainer(path: wish.file) != nil else {
      throw RenderError(.usage, ValidationError.ending(wish.file).message)
    }
    let kind = OutputKind(path: wish.file)
    let words = OutputWords(CommandLine.arguments.dropFirst(2), of: Self.self)
    var command = try parse(try words.words(for: wish), for: wish, rungs)
    let unsuitable = command.encoding.unsuitable(for: kind, wish, beside: main.output.video)
    if !unsuitable.isEmpty {
      command = try parse(try words.words(for: wish, without: unsuitable), for: wish, rungs)
    }
    return try command.rendition(of: call, as: kind)
  }

  private func parse(
    _ words: [String], for wish: OutputWish, _ rungs: StreamRungs?
  ) throws(RenderError) -> Self {
    do {
      let place = ["--output=\(wish.file)"] + (rungs.map { ["--hls=\($0.text)"] } ?? [])
      return try Self.parse(words + place)
    } catch {
      let text = UsageMessage.text(Self.fullMessage(for: error))
      throw RenderError(.usage, "\(wish.file): \(text.prefix { $0 != "\n" })")
    }
  }
}

extension EncodingOptions {
  /// The options of the main output that a file of another kind cannot follow, or another encoder.
  fileprivate func unsuitable(
    for kind: OutputKind, _ wish: OutputWish, beside main: VideoEncoderSettings
  ) -> Set<String> {
    let named = Set(wish.options.map(\.name))
    var unsuitable: Set<String> = []
    var video = settings(size: main.size, frameRate: main.frameRate, output: kind)
    if kind.container.hasPictures, !video.containers.contains(kind.container) {
      unsuitable.insert("encoder")
      video.encoder = kind.container.videoEncoder
    }
    // What is said of one encoder says nothing about another.
    if video.encoder != main.encoder {
      unsuitable.formUnion(["preset", "crf", "encoder-option"])
    }
    if let codec = sound.audioEncoder, !kind.container.soundCodecs.contains(codec) {
      unsuitable.formUnion(["audio-encoder", "audio-bitrate"])
    }
    if !kind.container.hasPictures { unsuitable.insert("captions-track") }
    return unsuitable.subtracting(named)
  }
}
