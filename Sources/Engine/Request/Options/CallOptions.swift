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
  public var alignment: TesseraRecordings.Alignment?
  /// Start times for recordings of participants that start elsewhere than the others.
  public var offsets: [PersonOffset]?
  /// Gains for participants.
  public var gains: [PersonGain]?
  /// True to remove stretches of at least 5 s in which nobody is present (default: the recording's
  /// own setting, otherwise false).
  public var trimsIdle: Bool?
  /// The number of participants that a plain file with several streams stands for (default:
  /// automatic).
  public var streams: StreamChoice?
  /// The choice between mixing audio channels and treating each channel as a participant (default:
  /// mix).
  public var channels: ChannelChoice?
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
      "format", \.format, "The recorder whose format the input has (found out).", value: "name",
      completion: .list(Importers.formats)),
    .one(
      "people", \.people,
      "The people that identifiers stand for: CSV, JSON or YAML with id, name, avatar, local, same-as.",
      value: "file", completion: .file([])
    ).naming(\.people),
    .one(
      "max-archive-size", \.maximumArchiveSize, "The most that is unpacked of an archive (64G).",
      value: "bytes", expected: "bytes, such as 8G or 500M"),
    .one(
      "local", \.local,
      "The local participant: a name, a file's name, its path or its number (as the recording says, else nobody).",
      value: "person"),
    .many(
      "offset", \.offsets,
      """
      The start of a participant's recordings, if not that of all others; may be negative. The name of one of \
      several files of a participant moves that file alone.
      """,
      value: "person=seconds", expected: "a person and seconds, such as ada=1.25 or ada=-0.5"),
    .many(
      "gain", \.gains, "How much louder somebody is, in decibels.", value: "person=db",
      expected: "a person and -96 to 48 decibels, such as ada=-3"),
    .choice(
      "align", \.alignment,
      """
      How files are placed whose times no recorder states: auto (by the finest dates that they share), \
      start (all start together), end (all end together), container (their own times), clock (the dates \
      of all devices, or time code) or sound (what is heard in several of them) (default: auto; of a \
      session file its own, otherwise start).
      """),
    .flag(
      "trim-idle", \.trimsIdle,
      """
      Leave out stretches in which nobody is there, for 5 seconds or more (as the recording says, \
      else not).
      """, isDeniable: true),
    .choice(
      "streams", \.streams,
      """
      The participants of a plain file with several streams: one (first), one for each stream (each), \
      or one for each picture if as many sounds belong to them (auto) (default: auto).
      """),
    .choice(
      "channels", \.channels,
      "The channels of recordings: mixed, or a participant for each (each) (default: mixed)."),
    .one(
      "audio-track", \.audioTrack,
      """
      Which sound of files with several tracks of it: a language, a title, a number from 1, or all \
      for all of them, mixed (the one that is meant to be played).
      """, value: "track", expected: "a language, a title, a number from 1, or all"),
    .choice(
      "speaker-source", \.speakerSource,
      """
      Where active speakers come from: audio (the voices), events (the recorder), auto (the \
      recorder where it names them, else the voices) or none (auto).
      """),
    .many(
      "transcript", \.transcripts,
      """
      What was said: WebVTT or SubRip, or the JSON of Whisper, WhisperX, whisper.cpp or Vosk; of one \
      person by that recording's own clock, or from a time of the call on; may be repeated.
      """, value: "[person=]file[:start=…]",
      expected:
        "a file, such as call.vtt, or a person and a file, such as ada=ada.json or ada=ada.json:start=0",
      completion: .file(["vtt", "srt", "json"])
    ).naming(\.transcripts),
    .one(
      "transcriber", \.transcriber,
      """
      A program that writes down what is said, started for each person whose words no file has: {wav} \
      is the voice (16 kHz, mono), {out} the result's path without an ending.
      """, value: "command",
      expected: "a command with {wav}, such as 'whisper-cli -m model.bin -f {wav} -oj -of {out}'"),
    .flag(
      "allow-missing", \.allowsMissing,
      "Render without the inputs that do not exist, with a loss for each."),
    .one(
      "max-duration", \.longestDuration,
      "The longest video that is made; broken times make longer ones (24:00:00).", value: "t",
      expected: RenditionOptions.time),
  ]
}
