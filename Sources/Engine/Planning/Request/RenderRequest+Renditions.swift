import TesseraCodecs
import TesseraLayout
import TesseraMessages
import TesseraPixels
package import TesseraPlan
import TesseraRecordings
package import TesseraRequest
package import TesseraSystem

extension OutputRequest {
  /// The render targets of this output, one for each rendition; empty for still pictures.
  package var targets: [RenderTarget] {
    switch kind {
    case .file: [.file(destination)]
    case .stream(let sides): sides.map { .rung("\($0)p", of: destination) }
    case .thumbnails, .poster: []
    }
  }

  /// Returns the rendition of the call `input` with these `options`.
  func rendition(
    _ options: RenditionOptions, of input: ImportedCall
  ) throws(RenderError) -> Rendition {
    if let problem = options.problem {
      throw RenderError(.usage, "\(file: destination): \(problem)")
    }
    var rendition = try options.rendition(
      of: input, as: container, called: destination.isEmpty ? "the output" : destination)
    rendition.partSource = source
    return rendition
  }
}

extension RenderRequest {
  /// Returns the requested outputs, followed by those that the recording of `input` requests, which
  /// are written into `folder`.
  ///
  /// - Throws: ``RenderError`` if the recording requests an invalid output.
  package func outputs(
    with input: ImportedCall, in folder: String
  ) throws(RenderError) -> [OutputRequest] {
    var all = addingClips(to: outputs)
    for wish in input.recording.outputs {
      var output = try OutputRequest(SessionOutput(folder + wish.file, wish.options))
      guard !output.destination.contains("://") else {
        throw RenderError(
          .usage,
          "\(file: output.destination) is not stored with the other outputs; ask for it with \(option: "also")."
        )
      }
      output.options.mapFiles { input.path(of: $0) }
      all.append(output)
    }
    return all
  }

  /// Returns the options shared by all outputs: the request's own, which take precedence over those
  /// of the recording.
  ///
  /// - Throws: ``RenderError`` if the recording requests invalid options.
  package func outputDefaults(of input: ImportedCall) throws(RenderError) -> RenditionOptions {
    var canvas = try RenditionOptions(input.recording.canvas.options, of: "canvas")
    canvas.mapFiles { input.path(of: $0) }
    return outputDefaults.over(canvas)
  }

  /// The note on ends that shall move to pauses if there are none.
  static let snapsNothing: UserMessage =
    "\(option: "snap") has no effect, as no output is a part of the call; give \(option: "from") or \(option: "to")."

  /// Creates the only rendition of the call `input` for a command without further outputs.
  ///
  /// - Throws: ``RenderError`` if options contradict each other.
  package func rendition(of input: ImportedCall) throws(RenderError) -> Rendition {
    let options = try outputDefaults(of: input)
    var rendition = try options.rendition(of: input)
    if outputDefaults.snaps == true, !options.isPart { rendition.notes.append(Self.snapsNothing) }
    return rendition
  }

  /// Creates the renditions of the call `input` for `outputs`, of which the first is the main
  /// output.
  ///
  /// - Parameters:
  ///   - outputs: The outputs, as ``outputs(with:in:)`` returns them.
  ///   - input: The call.
  /// - Returns: The renditions, in the order of all outputs' ``OutputRequest/targets``.
  /// - Throws: ``RenderError`` if options contradict each other or the kind of an output.
  package func renditions(
    for outputs: [OutputRequest], of input: ImportedCall
  ) throws(RenderError) -> [Rendition] {
    let look = try outputDefaults(of: input)
    var found: [Rendition] = []
    var main: (options: RenditionOptions, container: OutputContainer?)?
    for output in outputs where !output.isStill {
      var options = output.options.over(look)
      if let main {
        guard let container = output.container else {
          throw RenderError(.usage, OutputRequest.unknownEnding(output.destination))
        }
        options = options.suiting(
          container, beside: main.options, main.container, unless: output.options)
      }
      main = main ?? (options, output.container)
      let rendition = try output.rendition(options, of: input)
      switch output.kind {
      case .stream(let sides): found += sides.map { rendition.rung(shorterSide: $0) }
      case .file, .thumbnails, .poster: found.append(rendition)
      }
    }
    return found
  }
}

extension Rendition {
  /// Returns the rendition scaled to another size of equal shape: one rung of an HLS ladder.
  func rung(shorterSide: Int) -> Rendition {
    var rung = self
    let whole = output.video.size
    let shorter = min(whole.width, whole.height)
    let scaled = { (side: Int) in (side * shorterSide + shorter) / (2 * shorter) * 2 }
    let size = PixelSize(width: scaled(whole.width), height: scaled(whole.height))
    rung.output.video.size = size
    rung.output.video.placesAllKeyframes = true
    // A side that is left to the layout remains so.
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
