import TesseraCodecs
import TesseraMessages
package import TesseraPlan
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

extension RenderRequest {
  /// Plans `outputs` of `call`: their renditions and, from these, a plan each.
  ///
  /// Decides only the parts and chapters of outputs. `RenderRequest+Renditions.swift` makes the
  /// renditions, ``PlanningSession`` in `Planner.swift` the plans.
  ///
  /// - Parameters:
  ///   - outputs: the outputs of ``outputs(with:in:)``; the first is the main one, whose chapters
  ///     clips are made of.
  ///   - call: the call.
  ///   - cancellation: stops planning.
  /// - Returns: the outputs as single files, and a plan for each of their
  ///   ``OutputRequest/targets``, in order.
  /// - Throws: ``RenderError`` if nothing can be rendered, or options contradict each other.
  package func plans(
    for outputs: [OutputRequest], of call: CallRequest, cancellation: Cancellation
  ) throws(RenderError) -> (outputs: [OutputRequest], plans: [Plan]) {
    var session = PlanningSession(call, cancellation)
    let parts = try OutputSplitter(outputs, over: outputDefaults(of: call.input))
    var plans: [Plan] = []
    if let options = parts.chapterOptions {
      var rendition = try outputs[0].rendition(options, of: call.input)
      rendition.hasChapters = true
      plans = try session.makePlans([rendition])
    }
    var (files, notes) = try parts.files(chapters: plans.first?.chapterMarks ?? [])
    if outputDefaults.snaps == true, !parts.hasParts { notes.append(Self.snapsNothing) }
    let renditions = try renditions(for: files, of: call.input)
    // The plan with the chapters is the main output's own, unless that is a part or has no
    // chapters.
    let isMain =
      files.first?.kind == .file && files.first?.source == nil
      && renditions.first?.hasChapters == true
    if !isMain { plans = [] }
    plans += try session.makePlans(Array(renditions.dropFirst(plans.count)))
    if !plans.isEmpty { plans[0].messages += notes }
    return (files, plans)
  }
}

extension Plan {
  /// The chapters as parts of the call, in the call's times.
  fileprivate var chapterMarks: [ClipRange] {
    let (chapters, times) = (output.chapters, times)
    let end = output.video.frameRate.time(ofFrame: cut.upperBound)
    return chapters.enumerated().map { index, chapter in
      let next = index + 1 < chapters.count ? times.call(chapters[index + 1].start) : end
      return ClipRange(from: times.call(chapter.start), to: next, title: chapter.title)
    }
  }
}
