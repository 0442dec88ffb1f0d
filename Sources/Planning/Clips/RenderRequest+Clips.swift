import Foundation
import TesseraDocuments
import TesseraMedia
package import TesseraPlan
import TesseraRecordings
package import TesseraSystem
import TesseraTimeline

extension RequestedOutput {
  /// What stands in its name for a clip's title: an output that has it is made once a clip.
  package static let titleMark = "{title}"
  /// What stands in its name for a clip's number, from 1, in as many digits as the last one has.
  private static let numberMark = "{number}"

  /// Whether it is made once a clip, or chapter.
  package var isTemplate: Bool { place.contains(Self.titleMark) }

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

/// All plans that a request asks for.
package struct RequestedPlans: Sendable {
  /// What is made of each plan, the main output first.
  package var targets: [RenderTarget] = []
  /// The plans.
  package var plans: [Plan] = []
  /// Pictures of the first output that has pictures.
  package var stills: [RequestedOutput] = []
  /// The clips among the outputs, whose names were not known before.
  package var clips: [RequestedOutput] = []
}

extension RenderRequest {
  /// Plans `outputs` of `call`, of which the first is the main one. Chapters of which clips are made
  /// are those of the main output.
  ///
  /// - Parameters:
  ///   - outputs: as ``outputs(with:in:)`` returns them.
  ///   - call: the call.
  ///   - mainKind: what kind of file the main output is where its place does not say it; nil where
  ///     it is not known.
  ///   - cancellation: what stops it.
  /// - Returns: a plan for each video, sound and size of a stream, and what each becomes.
  /// - Throws: ``RenderError`` where nothing can be rendered, or options contradict each other.
  package func plans(
    for outputs: [RequestedOutput], of call: CallRequest, mainKind: OutputKind?,
    cancellation: Cancellation
  ) throws(RenderError) -> RequestedPlans {
    var session = PlanningSession(call, cancellation)
    var (found, whole) = (RequestedPlans(), Plan?.none)
    var notes: [String] = []
    let expanded = try expanded(outputs, call.input, mainKind, &notes) {
      options throws(RenderError) in
      var rendition = try options.rendition(of: call.input, as: mainKind)
      rendition.hasChapters = true
      let plan = try session.plans([rendition])[0]
      whole = plan
      return plan.chapterMarks
    }
    found.clips = expanded.filter(\.isClip).map(\.output)
    let renditions = try renditions(
      for: expanded.map(\.output), of: call.input, mainKind: mainKind)
    found.stills = renditions.stills
    found.targets = renditions.outputs.map(\.target)
    // The main output was planned for its chapters, unless it is one of them.
    let isKnown =
      expanded.first?.isClip == false && renditions.outputs.first?.rendition.hasChapters == true
    if let whole, isKnown, renditions.outputs.first?.target.rung == nil {
      found.plans = [whole]
    }
    found.plans += try session.plans(
      renditions.outputs.dropFirst(found.plans.count).map(\.rendition))
    if !found.plans.isEmpty { found.plans[0].notes += notes }
    return found
  }

  /// The outputs with those that are made once a clip or chapter as so many, and whether each is a
  /// clip; `chapters` finds the chapters of what options ask for, and `notes` get what is not made.
  func expanded(
    _ outputs: [RequestedOutput], _ input: CallInput, _ mainKind: OutputKind?,
    _ notes: inout [String], _ chapters: (RenditionOptions) throws(RenderError) -> [ClipMark]
  ) throws(RenderError) -> [(output: RequestedOutput, isClip: Bool)] {
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
    /// Why there is nothing to make of chapters.
    func lack(_ place: String) -> Message {
      "\(place): the call has no chapters: name some with \(option: "chapters-from"), or "
        + "list clips with \(option: "clips")."
    }
    var all: [(output: RequestedOutput, isClip: Bool)] = []
    for (number, output) in outputs.enumerated() {
      let options = output.options.over(look)
      if output.isTemplate {
        if let problem = output.templateProblem { throw RenderError(.usage, problem) }
        let marks =
          if let file = options.clips { try Self.clips(in: file.path) } else {
            try marks(output.place)
          }
        if marks.isEmpty {
          // Others are made nevertheless: of many calls, some have no chapters.
          guard number > 0 else { throw RenderError(.usage, lack(output.place)) }
          notes.append(lack(output.place).commandLine)
        }
        var names = FileNames()
        for (index, mark) in marks.enumerated() {
          // File names have no colons.
          let title = mark.title.replacing(": ", with: " - ")
          let name = names.name(for: title, else: "clip-\(index + 1)")
          let row = mark.row.map { "row \($0) of \(options.clips?.path ?? "")" }
          var clip = output.clip(mark, row ?? "chapter \(index + 1)", snapping: options.snaps)
          clip.place = output.place(number: index + 1, of: marks.count, title: name)
          all.append((clip, true))
        }
      } else if let chapter = options.chapter {
        let marks = try marks(output.place)
        guard !marks.isEmpty else { throw RenderError(.usage, lack(output.place)) }
        guard marks.indices.contains(chapter - 1) else {
          throw RenderError(
            .usage,
            "\(output.place): there is no chapter \(chapter): the call has \(marks.count) chapters."
          )
        }
        let name = "chapter \(chapter)"
        all.append((output.clip(marks[chapter - 1], name, snapping: options.snaps), true))
      } else {
        guard output.options.clips == nil else {
          throw RenderError(
            .usage,
            "\(output.place): clips are several files: put \(RequestedOutput.titleMark) into the name, "
              + "such as clips/\(RequestedOutput.titleMark).mp4.")
        }
        var own = output
        // What is a part of the main output is a clip.
        if number > 0, output.options.from != nil || output.options.to != nil {
          own.options.snaps = options.snaps ?? true
        }
        all.append((own, false))
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
