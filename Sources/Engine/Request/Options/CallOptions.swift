public import TesseraRecordings
public import TesseraTimeline

/// Options that describe a call and how to read it. They apply to all of its outputs. A `nil`
/// property leaves the decision to the recording, or else to the default.
public struct CallOptions: Sendable {
  /// The name of the recorder format of the inputs; `nil` to detect it.
  public var format: String?
  /// The file that maps identifiers to people; `nil` for none.
  public var people: PathOption?
  /// The maximum total size to unpack from an archive (default: 64G).
  var maximumArchiveSize: ByteCount?
  /// The local participant: a file's name with or without its extension, its path, or its number
  /// from 1. `nil` if the recording decides.
  public var local: String?
  /// The method that places tracks on the timeline if no recorder states their times (default: the
  /// session file's own, otherwise automatic).
  public var alignment: TesseraRecordings.AlignmentMethod?
  /// Start times for recordings of participants that start elsewhere than the others.
  public var offsets: [PersonOffset]?
  /// Gains for participants.
  public var gains: [PersonGain]?
  /// True to remove stretches of at least 5 s in which nobody is present (default: the recording's
  /// own setting, otherwise false).
  public var trimsIdle: Bool?
  /// The number of participants that a plain file with several streams stands for (default:
  /// automatic).
  public var streams: StreamAssignment?
  /// The choice between mixing audio channels and treating each channel as a participant (default:
  /// mix).
  public var channels: ChannelAssignment?
  /// The choice of audio track for files with several audio tracks (default: the one marked for
  /// playback).
  public var audioTrack: AudioTrackChoice?
  /// The source of the active speaker (default: automatic).
  public var speakerSource: SpeakerSource?
  /// Transcript files of the call; `nil` for those beside the recording.
  public var transcripts: [TranscriptOption]?
  /// The speech recognizer to run for participants without a transcript; `nil` for none.
  public var transcriber: Transcriber?
  /// True to render without inputs that do not exist and report a loss for each (default: false, an
  /// error).
  public var allowsMissing: Bool?
  /// The maximum duration of the video (default: 24 h). Broken timestamps can make a call much
  /// longer.
  public var longestDuration: MediaTime?

  /// Creates options with all properties `nil`.
  public init() {}

  /// The maximum number of bytes to unpack from an archive, above 0 (default: 64 GiB).
  public var archiveSizeLimit: Int? {
    get { maximumArchiveSize?.value }
    set { maximumArchiveSize = newValue.flatMap { ByteCount(option: "\($0)") } }
  }
}

/// The path of an input file that an option names.
public struct PathOption: Hashable, Sendable {
  public var path: String

  /// Creates an option for the file at `path`.
  public init(_ path: String) { self.path = path }
}

extension PathOption: FileOptionValue {
  package init?(option text: String) { path = text }

  package var optionText: String { path }

  package var file: String? {
    get { path }
    set { if let newValue { path = newValue } }
  }
}

extension CallOptions {
  /// The table of call options, in the order of the help.
  package static let rows: [OptionRow<CallOptions>] = [
    .one(
      "format", \.format,
      "Recorder whose format the input has (default: detected).", value: "name",
      completion: .list(ImporterRegistry.formats)),
    .one(
      "people", \.people,
      """
      File that names the people behind identifiers: CSV, JSON or YAML with id, name, avatar, \
      local, same-as.
      """,
      value: "file", completion: .file([])
    ).naming(\.people),
    .one(
      "max-archive-size", \.maximumArchiveSize,
      "Maximum total size to unpack from an archive (default: 64G).",
      value: "bytes", expected: "bytes, such as 8G or 500M"),
    .one(
      "local", \.local,
      """
      Local participant: a name, a file's name, its path, or a number from 1 (default: the \
      recording's own, otherwise nobody).
      """,
      value: "person"),
    .many(
      "offset", \.offsets,
      """
      Start of a participant's recordings, if it differs from that of all others; may be \
      negative. The name of a file moves only that file of a participant who has several.
      """,
      value: "person=seconds", expected: "a person and seconds, such as ada=1.25 or ada=-0.5"),
    .many(
      "gain", \.gains,
      "Gain of a participant in dB (default: 0).", value: "person=db",
      expected: "a person and -96 to 48 decibels, such as ada=-3"),
    .choice(
      "align", \.alignment,
      """
      Placement of files for which no recorder states times: auto (by the finest dates that they \
      share), start (all start together), end (all end together), container (their own times), \
      clock (the dates of all devices, or time code) or sound (by sound that several files have \
      in common) (default: auto; for a session file its own, otherwise start).
      """),
    .flag(
      "trim-idle", \.trimsIdle,
      """
      Leave out stretches of 5 s or more in which no participant is present (default: the \
      recording's own, otherwise off).
      """, isDeniable: true),
    .choice(
      "streams", \.streams,
      """
      Participants of a plain file with several streams: one (first), one for each stream (each), \
      or one for each video stream if as many audio streams belong to them (auto) (default: \
      auto).
      """),
    .choice(
      "channels", \.channels,
      """
      Channels of recordings: mixed, or one participant for each channel (each) (default: mixed).
      """),
    .one(
      "audio-track", \.audioTrack,
      """
      Audio track of files that have several: a language, a title, a number from 1, or all, mixed \
      (default: the track that is marked to be played).
      """, value: "track", expected: "a language, a title, a number from 1, or all"),
    .choice(
      "speaker-source", \.speakerSource,
      """
      Source of active speakers: audio (the voices), events (the recorder), auto (the recorder if \
      it names them, otherwise the voices) or none (default: auto).
      """),
    .many(
      "transcript", \.transcripts,
      """
      Transcript: WebVTT, SubRip, or the JSON of Whisper, WhisperX, whisper.cpp or Vosk. For one \
      participant its times follow that recording's clock, or count from a time of the call; may \
      be repeated.
      """, value: "[person=]file[:start=…]",
      expected:
        "a file, such as call.vtt, or a person and a file, such as ada=ada.json or ada=ada.json:start=0",
      completion: .file(["vtt", "srt", "json"])
    ).naming(\.transcripts),
    .one(
      "transcriber", \.transcriber,
      """
      Speech recognizer, started for each participant without a given transcript: {wav} is the \
      voice (16 kHz, mono), {out} the result's path without an ending, {dir} the folder of both.
      """, value: "command",
      expected: "a command with {wav}, such as 'whisper-cli -m model.bin -f {wav} -oj -of {out}'"),
    .flag(
      "allow-missing", \.allowsMissing,
      "Render without inputs that do not exist, with a loss for each."),
    .one(
      "max-duration", \.longestDuration,
      "Maximum length of the video, against broken timestamps (default: 24:00:00).", value: "t",
      expected: RenditionOptions.time),
  ]
}
