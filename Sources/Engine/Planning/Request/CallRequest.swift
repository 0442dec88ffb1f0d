package import TesseraCodecs
package import TesseraJobs
package import TesseraPlan
package import TesseraRecordings
package import TesseraRequest
package import TesseraSystem
package import TesseraTimeline

/// A call, what is said about it beside its recording, and how it is read: what is the same for all
/// that is made of it.
package struct CallRequest: Sendable {
  /// The call.
  package var input: CallInput
  /// The local participant: a file's name with or without its extension, its path, or its
  /// number from 1; nil is the first.
  package var local: String?
  /// How tracks are laid against each other where no recorder says so; nil is as the recording
  /// says, or else by their starts.
  package var alignment: Alignment?
  /// Whose recordings begin elsewhere than all others', and where.
  package var offsets: [PersonOffset] = []
  /// How much louder people are.
  package var gains: [PersonGain] = []
  /// Which sound is heard of files with several tracks of it.
  package var audioTrack = AudioTrackChoice.preferred
  /// Whether stretches in which nobody is there are left out; nil is as the recording says.
  package var trimsIdle: Bool?
  /// The source of the active speaker.
  package var speakerSource = SpeakerSource.auto
  /// Whether somebody asks for the speakers' turns, whatever a layout needs.
  package var wantsTurns = false
  /// What was said, as files have it; empty takes what lies beside the recording.
  package var transcripts: [TranscriptInput] = []
  /// The program that writes down what those say whose words no file has; nil where none does.
  package var transcriber: Transcriber?
  /// Whether somebody asks for what was said, so that it is noted where nobody knows.
  package var wantsTranscript = false
  /// What people should know about the files that were read for it; a sentence each.
  package var notes: [String] = []
  /// Where what was found in files is kept, so that they are not read again; nil keeps nothing.
  package var cache: ScanCache?
  /// Is told how far planning is, on any thread.
  package var progress: (@Sendable (PlanningProgress) -> Void)?
  /// The processes that read the files; nil where threads of this one do, which a decoder that
  /// crashes ends.
  package var readers: WorkerProgram?
  /// Whether an input that does not exist is a loss, not an error.
  package var allowsMissing = false
  /// The longest video that is made: what is longer is refused before anything is rendered.
  package var longestDuration = CallRequest.usualLongestDuration

  /// The call that was read from `input`, with nothing said beside it.
  package init(_ input: CallInput) { self.input = input }

  /// The call that `inputs` are: a folder, archive, manifest or session file, or media files.
  ///
  /// - Throws: ``RenderError`` in one sentence, where they are not a recording.
  package init(inputs: [String]) throws(RenderError) { self.init(try CallInput.open(inputs)) }

  /// A day: broken times make longer videos than calls do.
  package static let usualLongestDuration = MediaTime(seconds: 86_400)
}

extension CallRequest {
  /// Those who read the recordings for it.
  func readers(_ cancellation: Cancellation) -> TaskPool {
    TaskPool(readers, cancellation: cancellation, planning: progress)
  }
}
