import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// The input of all planning stages: one rendition of a call whose files were probed.
struct PlanningInput {
  let call: CallRequest
  let rendition: Rendition
  /// The call with the participants that are rendered.
  let input: ImportedCall
  /// The probes of the call's files, by path.
  let probes: [String: InputProbe]
  /// The findings shared with other renditions of the call.
  let findings: SoundAnalysisCache
  let analyses: VoiceAnalyses
  let cancellation: Cancellation

  var frameRate: FrameRate { rendition.output.video.frameRate }

  /// The task pool that reads the recordings, in processes or on threads.
  var readers: TaskWorkerPool { call.readers(cancellation) }

  /// - Throws: ``RenderError/stopped(_:)`` after a cancellation.
  func requireTime() throws(RenderError) {
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
  }
}
