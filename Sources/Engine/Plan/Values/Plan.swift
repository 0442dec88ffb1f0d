package import TesseraCaptions
package import TesseraCodecs
package import TesseraLayout
package import TesseraSoundtrack
public import TesseraTimeline

/// What to draw when, all decided: all that rendering needs besides the files.
///
/// The timeline is divided into the output's frames, numbered from 0 at its beginning; everything
/// in a plan is said in such frames or in exact times, and refers to other things by identifier.
public struct Plan: Sendable, Codable {
  /// The people who take part.
  public var participants: [Participant] = []
  /// What is seen: stretches of streams of pictures.
  package var tracks: [Track] = []
  /// What tiles can show.
  package var slots: [Slot] = []
  /// Where each slot is at any time; its items are the slots' identifiers.
  package var scenes: AttributeTimeline
  /// The frames in which the layout becomes another one.
  package var layoutFrames: [Int] = []
  /// The shots of a director; empty where the layout is another one.
  package var shots: [Shot] = []
  /// The slot that has a place which nothing else takes, captions neither; nil where none has.
  package var kept: SlotID?
  /// Whom the tile that stands for the rest hides, over time, in join order.
  package var overflow = Changes<[SlotID]>()
  /// What is heard.
  package var voices: [Voice] = []
  /// The turns of the active speaker.
  public var turns: [Turn] = []
  /// What is said, in the order of time.
  package var lines: [Line] = []
  /// What is known to be missing.
  public var losses: [Loss] = []
  /// What is worth knowing before rendering, but no loss; a sentence each.
  public var notes: [String] = []
  /// How all looks that is not a picture.
  package var look = Look()
  /// What is made of it.
  package var output: OutputFormat
  /// The number of frames of the whole timeline.
  package var frameCount: Int
  /// The frames that are rendered: the output's frame n shows the nth of them.
  package var cut: FrameCut

  /// What is left out of the call, and why, in order.
  package var removals: [Removal] = []
  /// When people are silent because somebody mutes them.
  package var mutes: [Turn] = []
  /// What somebody may want to cut, and which is not: sounds of people without a word.
  package var maybe: [Removal] = []

  /// A plan in which nobody is seen or heard yet.
  package init(
    scenes: AttributeTimeline, output: OutputFormat, frameCount: Int, cut: FrameCut
  ) {
    (self.scenes, self.output) = (scenes, output)
    (self.frameCount, self.cut) = (frameCount, cut)
  }

  /// Somebody in the call.
  public struct Participant: Hashable, Sendable, Codable {
    /// Unique in the plan.
    package let id: ParticipantID
    /// What the person is called, at first.
    public var name: String
    /// Whether the call was recorded at this person's place.
    public var isLocal = false
    /// The files that belong to the person, in their order.
    public var files: [String]
    /// When the person speaks, whoever has the floor; empty where nobody looked for it.
    package var speech: [TimeRange] = []

    /// Somebody called `name`.
    package init(id: ParticipantID, name: String, files: [String] = []) {
      (self.id, self.name, self.files) = (id, name, files)
    }
  }

  /// One stretch of one stream of pictures.
  package struct Track: Sendable, Codable, Identifiable {
    /// Unique in the plan.
    package let id: TrackID
    /// Whose it is.
    package var participant: ParticipantID
    /// Where it is read.
    package var source: PictureSource
    /// Where its ticks lie on the timeline.
    package var clock: TrackClock
    /// The shape of its first picture as displayed, width over height.
    package var aspectRatio: Double
    /// The frames in which it has something to show: from its first whole picture to the end of the
    /// last one.
    package var frames: Range<Int>
    /// The time at which the recording cuts the stream off: no later picture is ever shown. nil if
    /// the track ends with its stream.
    package var cutoff: ExactTime?
    /// The frame from which the first picture is held before its time; `nil` is from its time.
    package var heldFrom: Int?

    /// A stretch that is read from `source`.
    package init(
      id: TrackID, participant: ParticipantID, source: PictureSource, clock: TrackClock,
      aspectRatio: Double, frames: Range<Int>
    ) {
      (self.id, self.participant, self.source) = (id, participant, source)
      (self.clock, self.aspectRatio, self.frames) = (clock, aspectRatio, frames)
    }

    /// Holding the last picture of a track that ends early for longer would deceive.
    package static let longestHold = MediaTime(nanoseconds: 500_000_000)
  }

  /// One stretch of one stream of sound.
  package struct Voice: Sendable, Codable, Identifiable {
    /// Unique among the plan's tracks.
    package let id: TrackID
    /// Whose it is.
    package var participant: ParticipantID
    /// Where it is read and where it lies on the timeline.
    package var source: VoiceSource
    /// Whether somebody speaks; false for what a shared screen sounds like.
    package var isSpeech = true

    /// A stretch that is read from `source`.
    package init(
      id: TrackID, participant: ParticipantID, source: VoiceSource, isSpeech: Bool = true
    ) {
      (self.id, self.participant) = (id, participant)
      (self.source, self.isSpeech) = (source, isSpeech)
    }
  }

  /// A stretch in which one person has the floor.
  public struct Turn: Hashable, Sendable, Codable {
    /// Who.
    package var participant: ParticipantID
    /// When.
    public var interval: TimeRange

    /// The floor is `participant`'s in `interval`.
    package init(participant: ParticipantID, interval: TimeRange) {
      (self.participant, self.interval) = (participant, interval)
    }
  }

  /// What a director shows from a time of the call on.
  package struct Shot: Hashable, Sendable, Codable {
    /// What it shows.
    package enum Content: Hashable, Sendable, Codable {
      /// One person, or two side by side.
      case people([ParticipantID])
      /// Everybody, in a grid.
      case everybody
      /// Somebody's shared screen, with or without the active speaker in a corner.
      case screen(ParticipantID, withSpeaker: Bool)
    }

    /// When it begins.
    package var time: MediaTime
    package var content: Content

    /// A shot of `content` from `time` on.
    package init(_ time: MediaTime, _ content: Content) {
      (self.time, self.content) = (time, content)
    }
  }

  /// What one person says in one go.
  package struct Line: Hashable, Sendable, Codable {
    /// The speaker; nil where that is nobody who takes part.
    package var participant: ParticipantID?
    /// The speaker, as the source names them; nil where it names nobody.
    package var speaker: String?
    /// When it is said.
    package var interval: TimeRange
    /// What is said, on one line; nothing where all of it is struck.
    package var text: String
    /// The words, with their times in the call, those that are struck among them; empty where
    /// nobody knows when each is said.
    package var words: [Transcript.Word] = []

    /// `speaker`, who is `participant` where that is somebody who takes part, says `text`.
    package init(
      participant: ParticipantID?, speaker: String?, interval: TimeRange, text: String
    ) {
      (self.participant, self.speaker) = (participant, speaker)
      (self.interval, self.text) = (interval, text)
    }
  }

  /// The frames of the timeline from the first one that is rendered to the last.
  package var frames: Range<Int> { cut.bounds }

  /// A part of the call that is left out.
  package struct Removal: Hashable, Sendable, Codable {
    /// When it is.
    package var interval: TimeRange
    /// Why it is left out: a few words.
    package var reason: String

    /// `interval` is left out for `reason`.
    package init(_ interval: TimeRange, _ reason: String) {
      (self.interval, self.reason) = (interval, reason)
    }
  }

  /// How long the output is.
  public var duration: MediaTime { output.video.frameRate.time(ofFrame: cut.count) }

  /// Where times of the call are in the output.
  package var times: CutTimes { CutTimes(cut, at: output.video.frameRate) }

  /// The part of the timeline from the first frame that is rendered to the last.
  package var shown: TimeRange {
    let rate = output.video.frameRate
    return TimeRange(
      start: rate.time(ofFrame: frames.lowerBound), end: rate.time(ofFrame: frames.upperBound))
  }

  /// Loads libraries that reading the recordings needs: before a sandbox in which they would not be
  /// found.
  package func loadLibraries() { for track in tracks { track.source.loadLibraries() } }

  /// The files that pictures and sound are read from, each once, in order.
  package var sources: [String] {
    var seen: Set<String> = []
    return (tracks.map(\.source.path) + voices.map(\.source.path)).filter {
      seen.insert($0).inserted
    }
  }

  /// Has all files read where `place` says that the ones at their paths lie.
  package mutating func relocate(_ place: (String) -> String) {
    for index in tracks.indices { tracks[index].source.path = place(tracks[index].source.path) }
    for index in voices.indices {
      voices[index].source.sound.path = place(voices[index].source.sound.path)
    }
    for index in participants.indices {
      participants[index].files = participants[index].files.map(place)
    }
  }

  /// All files that rendering reads or that were named, each once, in order.
  package var files: [String] {
    var seen: Set<String> = []
    return participants.flatMap(\.files).filter { seen.insert($0).inserted }
  }
}
