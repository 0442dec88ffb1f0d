import TesseraLayout
import TesseraMedia
import TesseraPixels
package import TesseraPlan
import TesseraRecordings
package import TesseraSystem

/// The renditions of a call, for the engine and for single pictures.
package struct RequestedRenditions: Sendable {
  /// What is rendered, and as what; the main output, or its sizes, come first.
  package typealias Output = (target: RenderTarget, rendition: Rendition)

  /// Videos, sound and the sizes of folders for HTTP Live Streaming.
  package var outputs: [Output] = []
  /// Pictures of the first output that has pictures.
  package var stills: [RequestedOutput] = []
}

extension RenderRequest {
  /// The outputs that are asked for, and those that the recording of `input` asks for, which lie in
  /// `folder`.
  ///
  /// - Throws: ``RenderError`` where the recording asks for what there is not.
  package func outputs(
    with input: CallInput, in folder: String
  ) throws(RenderError) -> [RequestedOutput] {
    var all = addingClips(to: outputs)
    for wish in input.recording.outputs {
      var output = try RequestedOutput(OutputWish(folder + wish.file, wish.options))
      guard !output.place.contains("://") else {
        throw RenderError(
          .usage,
          "\(output.place) lies elsewhere than the other outputs; ask for it with \(option: "also")."
        )
      }
      output.options.mapFiles { input.path(of: $0) }
      all.append(output)
    }
    return all
  }

  /// What all outputs have in common: what is asked for, over what the recording of `input` asks
  /// for.
  ///
  /// - Throws: ``RenderError`` where the recording asks for what there is not.
  package func look(of input: CallInput) throws(RenderError) -> RenditionOptions {
    var canvas = try RenditionOptions(input.recording.canvas.options, of: "canvas")
    canvas.mapFiles { input.path(of: $0) }
    return look.over(canvas)
  }

  /// What is to be made of the call `input` as `outputs`, of which the first is the main one.
  ///
  /// - Parameters:
  ///   - outputs: as ``outputs(with:in:)`` returns them.
  ///   - input: the call.
  ///   - mainKind: what kind of file the main output is where its place does not say it; nil where
  ///     it is not known.
  /// - Returns: what is rendered, and pictures beside it.
  /// - Throws: ``RenderError`` where options contradict each other or the kind of an output.
  package func renditions(
    for outputs: [RequestedOutput], of input: CallInput, mainKind: OutputKind?
  ) throws(RenderError) -> RequestedRenditions {
    let look = try look(of: input)
    var found = RequestedRenditions()
    var main: (options: RenditionOptions, kind: OutputKind?)?
    for output in outputs {
      var options = output.options.over(look)
      switch output.kind {
      case .thumbnails, .poster:
        found.stills.append(output)
        continue
      case .file:
        let kind = main == nil ? mainKind : try Self.kind(of: output.place)
        if let main, let kind {
          options = options.suiting(
            kind, beside: main.options, main.kind, unless: output.options)
        }
        main = main ?? (options, kind)
        found.outputs.append(
          (.file(output.place), try Self.rendition(options, of: input, as: kind, output)))
      case .stream(let sides):
        let kind = OutputKind(.mp4, name: output.place)
        if let main {
          options = options.suiting(
            kind, beside: main.options, main.kind, unless: output.options)
        }
        main = main ?? (options, kind)
        let rendition = try Self.rendition(options, of: input, as: kind, output)
        found.outputs += sides.map { side in
          (.rung("\(side)p", of: output.place), rendition.rung(shorterSide: side))
        }
      }
    }
    return found
  }

  private static func kind(of place: String) throws(RenderError) -> OutputKind {
    guard OutputContainer(path: place) != nil else {
      throw RenderError(.usage, OutputKind.unknownEnding(place))
    }
    return OutputKind(path: place)
  }

  private static func rendition(
    _ options: RenditionOptions, of input: CallInput, as kind: OutputKind?,
    _ output: RequestedOutput
  ) throws(RenderError) -> Rendition {
    if let problem = options.problem { throw RenderError(.usage, "\(output.place): \(problem)") }
    var rendition = try options.rendition(of: input, as: kind)
    rendition.partSource = output.source
    return rendition
  }
}

extension OutputKind {
  /// What to do about a name whose ending is none of a video or of sound.
  package static func unknownEnding(_ place: String) -> Message {
    guard !FileSystem.isFolder(place), !place.hasSuffix("/") else {
      let file = place + (place.hasSuffix("/") ? "" : "/") + "call.mp4"
      return
        "\(place) is a folder: name a file in it, such as -o \"\(file)\", or make it one for HTTP "
        + "Live Streaming with \(option: "hls") 1080p,720p."
    }
    if let comma = place.firstIndex(of: ","), place[comma...].contains("="),
      OutputContainer(path: String(place[..<comma])) != nil
    {
      return "\(place): the options of an output follow a colon: \(place[..<comma]):"
        + "\(place[comma...].dropFirst())."
    }
    let endings = OutputContainer.endings
    return "the name \(place) does not say what to make: give -o one that ends in "
      + "\(endings.dropLast().joined(separator: ", ")) or \(endings[endings.count - 1])."
  }
}

extension Rendition {
  /// The same at another size, in the same shape: one of the sizes of a folder for HTTP Live
  /// Streaming.
  func rung(shorterSide: Int) -> Rendition {
    var rung = self
    let whole = output.video.size
    let shorter = min(whole.width, whole.height)
    let scaled = { (side: Int) in (side * shorterSide + shorter) / (2 * shorter) * 2 }
    let size = PixelSize(width: scaled(whole.width), height: scaled(whole.height))
    rung.output.video.size = size
    rung.output.video.placesAllKeyframes = true
    // A side that is left to the layout stays so.
    rung.size = self.size.map { asked in
      ProposedSize(
        width: asked.width.map { _ in Double(size.width) },
        height: asked.height.map { _ in Double(size.height) })
    }
    let share = Double(shorterSide) / Double(shorter)
    rung.gap = gap.map { ($0 * share).rounded() }
    rung.output.style.cornerRadius = output.style.cornerRadius.map { $0 * share }
    return rung
  }
}
