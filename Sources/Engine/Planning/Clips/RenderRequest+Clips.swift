import Foundation
import TesseraCodecs
import TesseraDocuments
package import TesseraPlan
import TesseraRecordings
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

extension RequestedOutput {
  /// What stands in its name for a clip's number, from 1, in as many digits as the last one has.
  private static let numberMark = "{number}"

  /// The name of the clip with that number of `count`, which is called `title`.
  fileprivate func place(number: Int, of count: Int, title: String) -> String {
    let (digits, width) = ("\(number)", "\(count)".count)
    let padded = String(repeating: "0", count: max(0, width - digits.count)) + digits
    return place.replacing(Self.numberMark, with: padded).replacing(Self.titleMark, with: title)
  }

  /// Clips beside it, which are called after it.
  fileprivate var clipsBeside: RequestedOutput {
    let file = URL(fileURLWithPath: place).lastPathComponent
    let stem = file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex)
    let folder = place.dropLast(file.count)
    return RequestedOutput(
      "\(folder)\(stem)-\(Self.titleMark)\(file[stem.endIndex...])", kind)
  }

  /// Why it cannot be made once a clip.
  fileprivate var templateProblem: String? {
    switch kind {
    case .file, .stream: nil
    case .thumbnails, .poster:
      "\(place): pictures are made of the first video only; leave out \(Self.titleMark)."
    }
  }
}

extension RenderRequest {
  /// Plans `outputs` of `call`, of which the first is the main one. Chapters of which clips are made
  /// are those of the main output.
  ///
  /// - Parameters:
  ///   - outputs: as ``outputs(with:in:)`` returns them.
  ///   - call: the call.
  ///   - cancellation: what stops it.
  /// - Returns: the outputs with their clips, and a plan for each of their ``RequestedOutput/targets``.
  /// - Throws: ``RenderError`` where nothing can be rendered, or options contradict each other.
  package func plans(
    for outputs: [RequestedOutput], of call: CallRequest, cancellation: Cancellation
  ) throws(RenderError) -> (outputs: [RequestedOutput], plans: [Plan]) {
    var session = PlanningSession(call, cancellation)
    var (plans, notes) = ([Plan](), [String]())
    let expanded = try expanded(outputs, call.input, &notes) { options throws(RenderError) in
      var rendition = try outputs[0].rendition(options, of: call.input)
      rendition.hasChapters = true
      plans = try session.plans([rendition])
      return plans[0].chapterMarks
    }
    let renditions = try renditions(for: expanded, of: call.input)
    // The main output was planned for its chapters, unless it is one of them.
    let isKnown =
      expanded.first?.kind == .file && expanded.first?.source == nil
      && renditions.first?.hasChapters == true
    if !isKnown { plans = [] }
    plans += try session.plans(Array(renditions.dropFirst(plans.count)))
    if !plans.isEmpty { plans[0].notes += notes }
    return (expanded, plans)
  }

  /// The outputs with those that are made once a clip or chapter as so many; `chapters` finds the
  /// chapters of what options ask for, and `notes` get what is not made.
  func expanded(
    _ outputs: [RequestedOutput], _ input: CallInput, _ notes: inout [String],
    _ chapters: (RenditionOptions) throws(RenderError) -> [ClipMark]
  ) throws(RenderError) -> [RequestedOutput] {
    let look = try look(of: input)
    var known: [ClipMark]?
    func marks(_ place: String) throws(RenderError) -> [ClipMark] {
      if let known { return known }
      var options = outputs[0].options.over(look)
      (options.chapter, options.clips) = (nil, nil)
      let marks = try chapters(options)
      known = marks
      return marks
    }
    /// `sentence` about the output at `place`; plans have none.
    func said(_ place: String, _ sentence: Message) -> Message {
      place.isEmpty ? sentence : "\(place): \(sentence)"
    }
    let lack: Message =
      "the call has no chapters: name some with \(option: "chapters-from"), or list clips with "
      + "\(option: "clips")."
    var all: [RequestedOutput] = []
    for (number, output) in outputs.enumerated() {
      let options = output.options.over(look)
      var output = output
      // The main output's card is none of its parts'.
      let isPart =
        output.isTemplate || options.chapter != nil || output.options.from != nil
        || output.options.to != nil
      if number > 0, isPart, output.options.titleCard == nil {
        output.options.titleCard = OverlayRequest.Title.none
      }
      if output.isTemplate {
        if let problem = output.templateProblem { throw RenderError(.usage, problem) }
        let marks =
          if let file = options.clips { try Self.clips(in: file.path) } else {
            try marks(output.place)
          }
        if marks.isEmpty {
          // Others are made nevertheless: of many calls, some have no chapters.
          guard number > 0 else { throw RenderError(.usage, said(output.place, lack)) }
          notes.append(said(output.place, lack).commandLine)
        }
        var names = FileNames()
        for (index, mark) in marks.enumerated() {
          // File names have no colons.
          let title = mark.title.replacing(": ", with: " - ")
          let name = names.name(for: title, else: "clip-\(index + 1)")
          let row = mark.row.map { "row \($0) of \(options.clips?.path ?? "")" }
          var clip = output.clip(mark, row ?? "chapter \(index + 1)", snapping: options.snaps)
          clip.place = output.place(number: index + 1, of: marks.count, title: name)
          all.append(clip)
        }
      } else if let chapter = options.chapter {
        let marks = try marks(output.place)
        guard !marks.isEmpty else { throw RenderError(.usage, said(output.place, lack)) }
        guard marks.indices.contains(chapter - 1) else {
          let sentence: Message = "there is no chapter \(chapter): the call has \(marks.count)."
          throw RenderError(.usage, said(output.place, sentence))
        }
        let name = "chapter \(chapter)"
        all.append(output.clip(marks[chapter - 1], name, snapping: options.snaps))
      } else {
        guard output.options.clips == nil else {
          throw RenderError(
            .usage,
            "\(output.place): clips are several files: put \(RequestedOutput.titleMark) into the name, "
              + "such as clips/\(RequestedOutput.titleMark).mp4.")
        }
        // What is a part of the main output is a clip.
        if number > 0, isPart { output.options.snaps = options.snaps ?? true }
        all.append(output)
      }
    }
    return all
  }

  /// The outputs with clips beside the main one, where clips are listed and no name says where they
  /// go.
  func addingClips(to outputs: [RequestedOutput]) -> [RequestedOutput] {
    guard look.clips != nil, let main = outputs.first, main.kind == .file,
      !outputs.contains(where: \.isTemplate)
    else { return outputs }
    return [main, main.clipsBeside] + outputs.dropFirst()
  }

  private static func clips(in path: String) throws(RenderError) -> [ClipMark] {
    let bytes = try InputFile.read(path, "clips")
    do throws(DocumentError) {
      return try ClipMark.list(bytes, name: path)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }
}

extension RequestedOutput {
  /// The part `mark`, which `source` asks for, and whose ends move to pauses unless that is denied.
  fileprivate func clip(_ mark: ClipMark, _ source: String, snapping: Bool?) -> RequestedOutput {
    var clip = self
    clip.source = source
    (clip.options.from, clip.options.to) = (mark.from, mark.to)
    clip.options.snaps = snapping ?? true
    if clip.options.title == nil, !mark.title.isEmpty { clip.options.title = mark.title }
    (clip.options.clips, clip.options.chapter) = (nil, nil)
    return clip
  }
}

extension Plan {
  /// The chapters as parts of the call.
  fileprivate var chapterMarks: [ClipMark] {
    let (chapters, times) = (output.chapters, times)
    let end = output.video.frameRate.time(ofFrame: cut.upperBound)
    return chapters.enumerated().map { index, chapter in
      let next = index + 1 < chapters.count ? times.call(chapters[index + 1].start) : end
      return ClipMark(from: times.call(chapter.start), to: next, title: chapter.title)
    }
  }
}
