import Foundation
import TesseraDocuments
import TesseraMessages
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// The rule that turns requested outputs into files of parts of the call: a file for each clip of a
/// table or for each chapter, and the range of a single chapter.
struct OutputSplitter {
  /// The requested outputs, of which the first is the main one, each with its options over the
  /// call's.
  private let outputs: [(output: OutputRequest, options: RenditionOptions)]

  /// Combines each output's options with `look`.
  ///
  /// - Parameters:
  ///   - outputs: the requested outputs; the first is the main one.
  ///   - look: the options that all outputs share.
  /// - Throws: ``RenderError`` if still pictures are requested for each clip, or several clips for
  ///   one file.
  init(_ outputs: [OutputRequest], over look: RenditionOptions) throws(RenderError) {
    for output in outputs {
      if output.isTemplate, output.isStill {
        throw RenderError(
          .usage,
          "\(file: output.destination): pictures are made of the first video only; leave out "
            + "\(OutputRequest.titleMark).")
      }
      if !output.isTemplate, output.options.clips != nil {
        throw RenderError(
          .usage,
          "\(file: output.destination): clips are several files: put \(OutputRequest.titleMark) into the name, "
            + "such as clips/\(OutputRequest.titleMark).mp4.")
      }
    }
    self.outputs = outputs.map { ($0, $0.options.over(look)) }
  }

  /// True if an output is a part of the call.
  var hasParts: Bool { outputs.contains { $0.isTemplate || $1.isPart } }

  /// The options of the main output without its part, for a plan whose chapters
  /// ``files(chapters:)`` takes; `nil` if no output depends on chapters.
  var chapterOptions: RenditionOptions? {
    let needsChapters = outputs.contains { output, options in
      output.isTemplate ? options.clips == nil : options.chapter != nil
    }
    guard needsChapters, var options = outputs.first?.options else { return nil }
    (options.chapter, options.clips) = (nil, nil)
    return options
  }

  /// Makes a single file of each part.
  ///
  /// - Parameter chapters: the main output's chapters; unused if ``chapterOptions`` is `nil`.
  /// - Returns: the outputs as single files, in order, and a note for each template without a
  ///   chapter.
  /// - Throws: ``RenderError`` if the main output or a single chapter lacks chapters, or a table of
  ///   clips cannot be read.
  func files(
    chapters: [ClipRange]
  ) throws(RenderError) -> (outputs: [OutputRequest], notes: [UserMessage]) {
    var (files, notes) = ([OutputRequest](), [UserMessage]())
    for (number, (var output, options)) in outputs.enumerated() {
      let isPart =
        output.isTemplate || options.chapter != nil || output.options.from != nil
        || output.options.to != nil
      // The main output's title card is not repeated on its parts.
      if number > 0, isPart, output.options.titleCard == nil {
        output.options.titleCard = OverlayRequest.TitleCard.none
      }
      if output.isTemplate {
        let clips = try clips(of: output, options, chapters)
        if clips.isEmpty {
          // A batch has calls without chapters, whose other outputs are rendered nevertheless.
          guard number > 0 else { throw RenderError(.usage, noChapters(output)) }
          notes.append(noChapters(output))
        }
        files += clips
      } else if let chapter = options.chapter {
        files.append(try clip(of: output, chapter, options, chapters))
      } else {
        if number > 0, isPart {
          // Ends of parts move to pauses by default, as those of clips do.
          output.options.snaps = options.snaps ?? true
          output.source = "\(file: output.destination)"
        }
        files.append(output)
      }
    }
    return (files, notes)
  }

  /// Returns the output of each clip of a table or, without a table, of each chapter.
  private func clips(
    of output: OutputRequest, _ options: RenditionOptions, _ chapters: [ClipRange]
  ) throws(RenderError) -> [OutputRequest] {
    let marks = if let file = options.clips { try Self.clips(in: file.path) } else { chapters }
    var names = UniqueFileNamer()
    return marks.enumerated().map { index, mark in
      // File names have no colons.
      let title = mark.title.replacing(": ", with: " - ")
      let name = names.name(for: title, else: "clip-\(index + 1)")
      let row: UserMessage? = mark.row.map { "row \($0) of \(file: options.clips?.path ?? "")" }
      var clip = output.clip(mark, row ?? "chapter \(index + 1)", snapping: options.snaps)
      clip.destination = output.destination(number: index + 1, of: marks.count, title: name)
      return clip
    }
  }

  /// Returns the output of one chapter by its number, from 1.
  private func clip(
    of output: OutputRequest, _ chapter: Int, _ options: RenditionOptions, _ chapters: [ClipRange]
  ) throws(RenderError) -> OutputRequest {
    guard !chapters.isEmpty else { throw RenderError(.usage, noChapters(output)) }
    guard chapters.indices.contains(chapter - 1) else {
      throw RenderError(
        .usage,
        output.named("the call has no chapter \(chapter), only \(chapters.count)."))
    }
    return output.clip(chapters[chapter - 1], "chapter \(chapter)", snapping: options.snaps)
  }

  private func noChapters(_ output: OutputRequest) -> UserMessage {
    output.named(
      "the call has no chapters: name some with \(option: "chapters-from"), or list clips with "
        + "\(option: "clips").")
  }

  private static func clips(in path: String) throws(RenderError) -> [ClipRange] {
    let bytes = try OptionFileReader.read(path, "clips")
    return try RenderError.refusing { () throws(DocumentError) in
      try ClipRange.list(bytes, name: path)
    }
  }
}

extension RenderRequest {
  /// Returns the outputs with clips beside the main one, if clips are listed and no output's name
  /// has a place for their titles.
  func addingClips(to outputs: [OutputRequest]) -> [OutputRequest] {
    guard outputDefaults.clips != nil, let main = outputs.first, main.kind == .file,
      !outputs.contains(where: \.isTemplate)
    else { return outputs }
    return [main, main.clipsBeside] + outputs.dropFirst()
  }
}

extension OutputRequest {
  /// Returns the path of the clip `number` of `count` with the title `title`.
  fileprivate func destination(number: Int, of count: Int, title: String) -> String {
    let (digits, width) = ("\(number)", "\(count)".count)
    let padded = String(repeating: "0", count: max(0, width - digits.count)) + digits
    return destination.replacing(Self.numberMark, with: padded).replacing(
      Self.titleMark, with: title)
  }

  /// The template of clips whose names begin with the output's own.
  fileprivate var clipsBeside: OutputRequest {
    let file = URL(fileURLWithPath: destination).lastPathComponent
    let stem = file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex)
    let folder = destination.dropLast(file.count)
    return OutputRequest(
      "\(folder)\(stem)-\(Self.titleMark)\(file[stem.endIndex...])", kind)
  }

  /// Returns `sentence` with the output's path in front. The output of a plan has no path.
  fileprivate func named(_ sentence: UserMessage) -> UserMessage {
    destination.isEmpty ? sentence : "\(file: destination): \(sentence)"
  }

  /// Returns the output of the part `mark`.
  ///
  /// - Parameters:
  ///   - mark: the part's range and title.
  ///   - source: the part's origin for messages, such as `row 3 of marks.csv`.
  ///   - snapping: true if the part's ends move to pauses; `nil` is true.
  /// - Returns: the output with the part's range, origin and title.
  fileprivate func clip(_ mark: ClipRange, _ source: UserMessage, snapping: Bool?) -> OutputRequest
  {
    var clip = self
    clip.source = source
    (clip.options.from, clip.options.to) = (mark.from, mark.to)
    clip.options.snaps = snapping ?? true
    if clip.options.title == nil, !mark.title.isEmpty { clip.options.title = mark.title }
    (clip.options.clips, clip.options.chapter) = (nil, nil)
    return clip
  }
}
