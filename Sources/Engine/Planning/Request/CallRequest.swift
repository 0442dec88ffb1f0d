package import TesseraCodecs
package import TesseraJobs
package import TesseraMessages
package import TesseraPlan
package import TesseraRecordings
package import TesseraRequest
package import TesseraSystem
package import TesseraTimeline

/// A call and the settings that apply to all of its renditions: descriptions beside the recording,
/// and options for reading it.
package struct CallRequest: Sendable {
  package var input: ImportedCall
  /// The local participant: a file's name with or without its extension, its path, or its number
  /// from 1. `nil` if the recording decides.
  package var local: String?
  /// The method that places tracks if no recorder states their times; `nil` for the call's own
  /// method.
  package var alignment: AlignmentMethod?
  /// Start times for recordings of participants that start elsewhere than the others.
  package var offsets: [PersonOffset] = []
  package var gains: [PersonGain] = []
  /// The choice of audio track for files with several audio tracks.
  package var audioTrack = AudioTrackChoice.preferred
  /// True to leave out stretches in which nobody is present; `nil` if the recording decides.
  package var trimsIdle: Bool?
  package var speakerSource = SpeakerSource.auto
  /// True if the speakers' turns are requested, even if no layout needs them.
  package var wantsTurns = false
  /// The transcript files; empty for those beside the recording.
  package var transcripts: [TranscriptInput] = []
  /// The speech recognizer for participants without a transcript; `nil` for none.
  package var transcriber: Transcriber?
  /// True if the transcript is requested. A missing transcript then becomes a note.
  package var wantsTranscript = false
  /// Notes for the user about files read for this request, one sentence each.
  package var notes: [UserMessage] = []
  /// The cache of scans and analyses; `nil` for none.
  package var cache: ScanCache?
  /// Receives planning progress, on any thread.
  package var progress: (@Sendable (PlanningProgress) -> Void)?
  /// The worker program whose processes read the files; `nil` to read on threads of this process. A
  /// crashing decoder then ends this process.
  package var readers: WorkerProgram?
  /// True if an input that does not exist is a loss instead of an error.
  package var allowsMissing = false
  /// The maximum duration of a rendition. Longer ones are refused before anything is rendered.
  package var longestDuration = CallRequest.defaultLongestDuration

  /// Creates a request for `input` with default settings.
  package init(_ input: ImportedCall) { self.input = input }

  /// Creates a request for the call in `inputs`: a folder, archive, manifest or session file, or
  /// media files.
  ///
  /// - Throws: ``RenderError`` with one sentence if the inputs are not a recording.
  package init(inputs: [String]) throws(RenderError) { self.init(try ImportedCall.open(inputs)) }

  /// The default of ``longestDuration``: one day. Broken timestamps can make a call much longer.
  package static let defaultLongestDuration = MediaTime(seconds: 86_400)
}

extension CallRequest {
  /// Returns the task pool that reads the recordings.
  func readers(_ cancellation: Cancellation) -> TaskWorkerPool {
    TaskWorkerPool(readers, cancellation: cancellation, planning: progress)
  }
}
