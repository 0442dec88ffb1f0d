package import TesseraCaptions
package import TesseraCodecs
package import TesseraLayout
package import TesseraMessages
package import TesseraSoundtrack
public import TesseraTimeline

/// Everything that is drawn and heard, and when: all that rendering needs besides the media files.
///
/// The timeline of the call is divided into frames at the output's rate, numbered from 0. A plan
/// states times in frames or in exact times. Its values refer to each other by identifier.
public struct Plan: Sendable, Codable {
  /// The participants of the call.
  public var participants: [Participant] = []
  /// The visible tracks: stretches of video streams.
  package var tracks: [Track] = []
  /// The slots: the contents of tiles over time.
  package var slots: [TileTimeline] = []
  /// The layout of all slots over time. Its items are slot identifiers.
  package var scenes: LayoutTimeline
  /// The frames in which another layout policy takes over, for example speaker after grid.
  package var layoutFrames: [Int] = []
  /// The shots of the director layout; empty for other layouts.
  package var shots: [Shot] = []
  /// The slot that has a fixed place which no tile and no caption covers; nil if there is none.
  package var kept: SlotID?
  /// The slots that the overflow tile ("+3") stands for, over time, in join order.
  package var overflow = ValueTimeline<[SlotID]>()
  /// The voices: stretches of audio streams that are mixed.
  package var voices: [Voice] = []
  /// The turns of the active speaker.
  public var turns: [Turn] = []
  /// The transcript, in order of time.
  package var lines: [TranscriptLine] = []
  /// The losses that planning found.
  public var losses: [Loss] = []
  /// Remarks that planning found worth reporting and that are no losses; one sentence each.
  public var notes: [String] {
    get { messages.map(\.commandLine) }
    set { messages = newValue.map { UserMessage($0) } }
  }
  /// The ``notes``, with options and files as values.
  package var messages: [UserMessage] = []
  /// All drawings: cards, plates, badges and overlays.
  package var look = PlanDrawings()
  package var output: OutputFormat
  /// Number of frames of the whole call.
  package var frameCount: Int
  /// The frames of the call that are rendered: frame n of the output shows the nth of them.
  package var cut: FrameSelection

  /// The parts of the call that are left out, with reasons, in order of time.
  package var removals: [CutRange] = []
  /// The intervals in which the session mutes a participant.
  package var mutes: [Turn] = []
  /// Candidates for cuts that are not cut: sounds of participants without words.
  package var maybe: [CutRange] = []

  private enum CodingKeys: String, CodingKey {
    case participants, tracks, slots, scenes, layoutFrames, shots, kept, overflow, voices, turns
    case lines, losses
    case messages = "notes"
    case look, output, frameCount, cut, removals, mutes, maybe
  }

  /// Creates a plan without participants.
  package init(
    scenes: LayoutTimeline, output: OutputFormat, frameCount: Int, cut: FrameSelection
  ) {
    (self.scenes, self.output) = (scenes, output)
    (self.frameCount, self.cut) = (frameCount, cut)
  }

  /// A participant of the call.
  public struct Participant: Hashable, Sendable, Codable {
    package let id: ParticipantID
    /// The participant's name at the start of the call.
    public var name: String
    /// True if the call was recorded on this participant's machine.
    public var isLocal = false
    /// The participant's files, in order.
    public var files: [String]
    /// The intervals in which the participant speaks, even without the floor; empty if speech was
    /// not detected.
    package var speech: [TimeRange] = []

    package init(id: ParticipantID, name: String, files: [String] = []) {
      (self.id, self.name, self.files) = (id, name, files)
    }
  }

  /// One stretch of a video stream.
  package struct Track: Sendable, Codable, Identifiable {
    /// The identifier, unique among the plan's tracks and voices.
    package let id: TrackID
    package var participant: ParticipantID
    /// The stream to read.
    package var source: PictureSource
    /// Maps the stream's ticks to the timeline.
    package var clock: TrackTimeMapping
    /// Display aspect ratio of the first picture, width over height.
    package var aspectRatio: Double
    /// The frames for which the track has pictures: from its first complete picture to the end of
    /// the last one.
    package var frames: Range<Int>
    /// The time at which the recording ends the stream: later pictures are never shown. nil if the
    /// track ends with its stream.
    package var cutoff: ExactTime?
    /// The frame from which the first picture is shown before its own time; nil shows it from its
    /// own time.
    package var heldFrom: Int?

    package init(
      id: TrackID, participant: ParticipantID, source: PictureSource, clock: TrackTimeMapping,
      aspectRatio: Double, frames: Range<Int>
    ) {
      (self.id, self.participant, self.source) = (id, participant, source)
      (self.clock, self.aspectRatio, self.frames) = (clock, aspectRatio, frames)
    }

    /// The longest time for which the last picture of a track that ends early is held. A longer
    /// hold would look like a frozen camera.
    package static let longestHold = MediaTime(nanoseconds: 500_000_000)
  }

  /// One stretch of an audio stream.
  package struct Voice: Sendable, Codable, Identifiable {
    /// The identifier, unique among the plan's tracks and voices.
    package let id: TrackID
    package var participant: ParticipantID
    /// The stream to read, and its placement on the timeline.
    package var source: VoiceSource
    /// True for speech; false for the sound of a shared screen.
    package var isSpeech = true

    package init(
      id: TrackID, participant: ParticipantID, source: VoiceSource, isSpeech: Bool = true
    ) {
      (self.id, self.participant) = (id, participant)
      (self.source, self.isSpeech) = (source, isSpeech)
    }
  }

  /// An interval in which one participant has the floor.
  public struct Turn: Hashable, Sendable, Codable {
    /// The participant who has the floor.
    package var participant: ParticipantID
    /// The interval of the turn, in times of the call.
    public var interval: TimeRange

    package init(participant: ParticipantID, interval: TimeRange) {
      (self.participant, self.interval) = (participant, interval)
    }
  }

  /// A shot of the director layout.
  package struct Shot: Hashable, Sendable, Codable {
    /// The content of a shot.
    package enum Subject: Hashable, Sendable, Codable {
      /// One participant, or two side by side.
      case people([ParticipantID])
      /// All participants in a grid.
      case everybody
      /// A participant's shared screen, optionally with the active speaker in a corner.
      case screen(ParticipantID, withSpeaker: Bool)
    }

    /// The time of the call at which the shot starts.
    package var time: MediaTime
    package var content: Subject

    package init(_ time: MediaTime, _ content: Subject) {
      (self.time, self.content) = (time, content)
    }
  }

  /// A line of the transcript: text that one speaker says without interruption.
  package struct TranscriptLine: Hashable, Sendable, Codable {
    /// The speaker; nil if the speaker is no participant.
    package var participant: ParticipantID?
    /// The speaker's name in the transcript's source; nil if the source has none.
    package var speaker: String?
    package var interval: TimeRange
    /// The text of the line, without line breaks; empty if all of it is struck.
    package var text: String
    /// The words with their times in the call, including struck words; empty if word times are
    /// unknown.
    package var words: [Transcript.Word] = []

    /// Creates a line. `participant` is nil if the speaker is no participant.
    package init(
      participant: ParticipantID?, speaker: String?, interval: TimeRange, text: String
    ) {
      (self.participant, self.speaker) = (participant, speaker)
      (self.interval, self.text) = (interval, text)
    }
  }

  /// The frames of the timeline from the first rendered frame to the last.
  package var frames: Range<Int> { cut.bounds }

  /// A part of the call that the output leaves out.
  package struct CutRange: Hashable, Sendable, Codable {
    package var interval: TimeRange
    /// The reason for leaving the part out, in a few words.
    package var reason: String

    package init(_ interval: TimeRange, _ reason: String) {
      (self.interval, self.reason) = (interval, reason)
    }
  }

  /// The duration of the output.
  public var duration: MediaTime { output.video.frameRate.time(ofFrame: cut.count) }

  /// Maps times of the call to times of the output.
  package var times: CutTimeMapping { CutTimeMapping(cut, at: output.video.frameRate) }

  /// The part of the timeline from the first rendered frame to the last.
  package var shown: TimeRange {
    let rate = output.video.frameRate
    return TimeRange(
      start: rate.time(ofFrame: frames.lowerBound), end: rate.time(ofFrame: frames.upperBound))
  }

  /// Loads the libraries that reading the recordings needs. Must run before the process enters a
  /// sandbox that hides them.
  package func loadLibraries() { for track in tracks { track.source.loadLibraries() } }

  /// The files that pictures and sound are read from, without duplicates, in order.
  package var sources: [String] {
    (tracks.map(\.source.path) + voices.map(\.source.path)).unique
  }

  /// Replaces the path of every file by the one that `place` returns for it.
  package mutating func relocate(_ place: (String) -> String) {
    for index in tracks.indices { tracks[index].source.path = place(tracks[index].source.path) }
    for index in voices.indices {
      voices[index].source.sound.path = place(voices[index].source.sound.path)
    }
    for index in participants.indices {
      participants[index].files = participants[index].files.map(place)
    }
  }

  /// All files that rendering reads or that the request names, without duplicates, in order.
  package var files: [String] { participants.flatMap(\.files).unique }
}
