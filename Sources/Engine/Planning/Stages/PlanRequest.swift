import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// One rendition of a call whose files were read: everything that the stages of its planning read.
struct PlanRequest {
  let call: CallRequest
  let rendition: Rendition
  /// The call with those who are rendered.
  let input: CallInput
  /// The contents of the call's files, by path.
  let probes: [String: InputProbe]
  /// The places by sound that were found for other renditions of the call.
  let findings: SoundFindings
  let analyses: VoiceAnalyses
  let cancellation: Cancellation

  var frameRate: FrameRate { rendition.output.video.frameRate }

  /// The processes or threads that read the recordings.
  var readers: TaskPool { call.readers(cancellation) }

  /// - Throws: ``RenderError/stopped(_:)`` once the cancellation was asked for.
  func requireTime() throws(RenderError) {
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
  }
}
