public import TesseraLayout
public import TesseraMedia
public import TesseraSoundtrack
public import TesseraTimeline

/// What to draw when, with every question answered: all that rendering needs besides the files.
///
/// The timeline is divided into the output's frames, numbered from 0 at its beginning; everything
/// in a plan is said in such frames or in exact times, and refers to other things by identifier.
public struct Plan: Sendable, Codable {
  /// Who takes part.
  public var participants: [Participant] = []
  /// What is seen: stretches of streams of pictures.
  public var tracks: [Track] = []
  /// What tiles can show.
  public var slots: [Slot] = []
  /// Where each slot is at any time; its items are the slots' identifiers.
  public var scenes: AttributeTimeline
  /// The frames in which the layout becomes another one.
  public var layoutFrames: [Int] = []
  /// Whom the tile that stands for the rest hides, over time, in join order.
  public var overflow = Changes<[SlotID]>()
  /// What is heard.
  public var voices: [Voice] = []
  /// Who has the floor from when on.
  public var turns: [Turn] = []
  /// What is known to be missing.
  public var losses: [Loss] = []
  /// What is worth knowing before rendering, but no loss; a sentence each.
  public var notes: [String] = []
  /// How all looks that is no picture.
  public var look = Look()
  /// What is made of it.
  public var output: OutputFormat
  /// The number of frames of the whole timeline.
  public var frameCount: Int
  /// The frames that are rendered.
  public var frames: Range<Int>

  /// Somebody in the call.
  public struct Participant: Hashable, Sendable, Codable, Identifiable {
    /// Unique in the plan.
    public let id: ParticipantID
    /// What the person is called, at first.
    public var name: String
    /// Whether the call was recorded at this person's place.
    public var isLocal = false
    /// The files that belong to the person, in their order.
    public var files: [String]

    /// Somebody called `name`.
    public init(id: ParticipantID, name: String, files: [String] = []) {
      (self.id, self.name, self.files) = (id, name, files)
    }
  }

  /// One stretch of one stream of pictures.
  public struct Track: Sendable, Codable, Identifiable {
    /// Unique in the plan.
    public let id: TrackID
    /// Whose it is.
    public var participant: ParticipantID
    /// Where it is read.
    public var source: PictureSource
    /// Where its ticks lie on the timeline.
    public var clock: TrackClock
    /// The shape of its first picture as displayed, width over height.
    public var aspectRatio: Double
    /// The frames in which it has something to show: from its first whole picture to the end of the
    /// last one.
    public var frames: Range<Int>
  }

  /// One stretch of one stream of sound.
  public struct Voice: Sendable, Codable, Identifiable {
    /// Unique among the plan's tracks.
    public let id: TrackID
    /// Whose it is.
    public var participant: ParticipantID
    /// Where it is read and where it lies on the timeline.
    public var source: VoiceSource
    /// Whether somebody speaks; false for what a shared screen sounds like.
    public var isSpeech = true
  }

  /// A stretch in which one person has the floor.
  public struct Turn: Hashable, Sendable, Codable {
    /// Who.
    public var participant: ParticipantID
    /// When.
    public var interval: TimeInterval
  }

  /// How long the rendered part is.
  public var duration: MediaTime { output.video.frameRate.time(ofFrame: frames.count) }

  /// The part of the timeline that is rendered.
  var shown: TimeInterval {
    let rate = output.video.frameRate
    return TimeInterval(
      start: rate.time(ofFrame: frames.lowerBound), end: rate.time(ofFrame: frames.upperBound))
  }

  /// Loads libraries that reading the recordings needs: before a sandbox in which they would not be
  /// found.
  public func loadLibraries() { for track in tracks { track.source.loadLibraries() } }

  /// The files that pictures and sound are read from, each once, in order.
  public var sources: [String] {
    var seen: Set<String> = []
    return (tracks.map(\.source.path) + voices.map(\.source.path)).filter {
      seen.insert($0).inserted
    }
  }

  /// All files that rendering reads or that were named, each once, in order.
  public var files: [String] {
    var seen: Set<String> = []
    return participants.flatMap(\.files).filter { seen.insert($0).inserted }
  }
}
