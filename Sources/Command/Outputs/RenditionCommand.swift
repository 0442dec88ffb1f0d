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

  /// What is asked for beside `main`, in the order in which it was; `beside` is the main output's
  /// path, nil where it is none. Makes sure that the files can be made, but for those in
  /// `protected`.
  func otherRequests(
    beside main: RenderRequest, at beside: String?, protecting protected: [String],
    replacing: Bool, printer: ProgressPrinter
  ) throws(RenderError) -> [(path: String, request: RenderRequest)] {
    var found: [(path: String, request: RenderRequest)] = []
    let folder = beside.flatMap { path in
      path.lastIndex(of: "/").map { String(path[...$0]) }
    }
    let named = (main.call?.recording.outputs ?? []).map { wish in
      OutputWish((folder ?? "") + wish.file, wish.options)
    }
    for wish in try others.wishes() + named {
      try OutputFile.require(wish.file, protecting: protected + found.map(\.path))
      if !replacing { try OutputFile.requireOwn(wish.file) }
      found.append((wish.file, try request(for: wish, beside: main, printer)))
    }
    return found
  }

  private func request(
    for wish: OutputWish, beside main: RenderRequest, _ printer: ProgressPrinter
  ) throws(RenderError) -> RenderRequest {
    guard OutputContainer(path: wish.file) != nil else {
      throw RenderError(.usage, ValidationError.ending(wish.file).message)
    }
    let kind = OutputKind(path: wish.file)
    let words = OutputWords(CommandLine.arguments.dropFirst(2), of: Self.self)
    var command = try parse(try words.words(for: wish), for: wish)
    let unsuitable = command.encoding.unsuitable(for: kind, wish, beside: main.output.video)
    if !unsuitable.isEmpty {
      command = try parse(try words.words(for: wish, without: unsuitable), for: wish)
    }
    var request = try command.picture.request(
      command.encoding, output: kind, of: main.call, printer: printer)
    command.range.apply(to: &request)
    (request.allowsMissing, request.readers) = (main.allowsMissing, main.readers)
    return request
  }

  private func parse(_ words: [String], for wish: OutputWish) throws(RenderError) -> Self {
    do {
      return try Self.parse(words + ["--output=\(wish.file)"])
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
